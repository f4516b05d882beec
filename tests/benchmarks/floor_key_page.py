"""The least that a key costs in Streamlit: a page with one component that gets its text back."""

import streamlit as st

SCRIPT = """
export default function ({ data, parentElement, setStateValue }) {
  parentElement.querySelector("#back").textContent = data.text;
  parentElement.querySelector("#editor").oninput = (event) => setStateValue("typed", event.target.value);
}
"""
echo = st.components.v2.component("echo", html='<textarea id="editor"></textarea><p id="back"></p>', js=SCRIPT)
text = st.session_state.get("echo", {}).get("typed") or ""
echo(key="echo", data={"text": text}, default={"typed": ""}, on_typed_change=lambda: None)

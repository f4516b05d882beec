"""The least that a step costs in Streamlit: a page with one button and one Altair chart of fifteen bars."""

import altair as alt
import pandas as pd
import streamlit as st

st.session_state.setdefault("step", 0)
st.button("Next", on_click=lambda: st.session_state.update(step=st.session_state.step + 1))
names, counts = zip(*((f"pair {i}", 100 - i + st.session_state.step) for i in range(15)), strict=True)
rows = pd.DataFrame({"pair": names, "count": counts})
st.altair_chart(alt.Chart(rows).mark_bar().encode(x="count", y=alt.Y("pair", sort=None)))
st.html(f'<p class="step">{st.session_state.step}</p>')

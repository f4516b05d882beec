"""The text area on a page without a server: what it sends, and when. The test says how the time goes."""

from bpe_core.live.script import script

SHOW = """
async (source) => {
  document.body.innerHTML = `<main data-test-script-state="running"></main><button>Press</button><div></div>`;
  const root = document.querySelector("div").attachShadow({ mode: "open" });
  root.innerHTML = `<label></label><textarea id="editor"></textarea>`;
  const { default: show } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  window.sent = [];
  const data = { text: "", version: 1, pause: 0, label: "", placeholder: "", height: 100, in_tab: "" };
  const setStateValue = (_, value) => sent.push(value);
  window.answer = () => show({ parentElement: root, data: { ...data, answered: sent.at(-1)?.number }, setStateValue });
  answer();
}
"""


def test_a_text_does_not_end_the_run_that_a_pressed_button_waits_for(browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.clock.install(time=0)
        page.clock.pause_at(1)
        page.evaluate(SHOW, script("editor.js"))

        def sent_after(milliseconds: int) -> list[str]:
            page.clock.run_for(milliseconds)
            return page.evaluate("sent.map(({ text }) => text)")

        def set_script(state: str) -> None:
            page.evaluate("state => document.querySelector('main').dataset.testScriptState = state", state)

        area = page.locator("#editor")
        area.press_sequentially("ab")
        assert sent_after(10) == ["a"]
        page.get_by_role("button").click()
        page.evaluate("answer()")  # to "a", while the script goes on
        assert sent_after(1000) == ["a"]
        set_script("notRunning")
        assert sent_after(100) == ["a", "ab"]
        set_script("running")
        page.evaluate("answer()")
        area.press_sequentially("c")  # without another click nothing waits
        assert sent_after(100) == ["a", "ab", "abc"]

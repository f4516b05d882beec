"""The script that shows a live view: it shows answers in order, also those that come while the view is loaded.

Until then nothing of the view is drawn, and no style sheet of the script stays after that.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from pages.parts.ui.live_view import LOADER

VIEW = "export default ({ data }) => shown.push(data)"
# Two answers come while the script is loaded, and the next as soon as the first is shown; then a last one.
ANSWERS = """async (loader) => {
  const { default: load } = await import(URL.createObjectURL(new Blob([loader], { type: "text/javascript" })));
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const parentElement = document.body.attachShadow({ mode: "open" });
  const show = (data) => load({ data: { script: "/view.js", data }, parentElement });
  window.shown = [];
  const failed = await Promise.allSettled([show(1), show(2)]).then((all) => all.filter(({ reason }) => reason).length);
  const begun = [show(3), show(4)];
  while (!shown.length) await pause(1);
  await Promise.all([...begun, show(5)]);
  show(6);
  return [failed, shown, parentElement.adoptedStyleSheets.length];
}"""


@pytest.mark.parametrize("fails", [False, True])
def test_answers_are_shown_in_order_and_a_script_that_did_not_come_is_asked_for_again(browser: Browser, fails: bool):
    page, asked = browser.new_page(), []

    def answer(route):
        asked.append(route.request.url)
        if not route.request.url.endswith(".js"):
            route.fulfill(body="<p>a page</p>", content_type="text/html")
        elif fails and len(asked) == 2:
            route.abort()
        else:
            page.wait_for_timeout(100)
            route.fulfill(body=VIEW, content_type="text/javascript")

    page.route("**/*", answer)
    page.goto("http://localhost/")
    assert page.evaluate(ANSWERS, LOADER) == ([2, [3, 4, 5, 6], 0] if fails else [0, [1, 2, 3, 4, 5, 6], 0])
    page.close()

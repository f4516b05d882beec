"""A text that is too long for a link: Share says so at once, and a reload does not lose it; another tab asks for it."""

from playwright.sync_api import expect

MISSING = "text was too long for a link: paste it, or open its file."

LONG = "seventy bytes go along in a link, and a thousand times as many do not. " * 150


def test_a_text_too_long_for_a_link_outlives_a_reload_of_its_tab_only(open_page, settle):
    page = open_page()
    page.locator("#editor").fill("short")
    settle(page)
    page.reload()
    settle(page)
    expect(page.locator("#editor")).to_have_value("short")

    page.locator("#editor").fill(LONG)
    settle(page)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("without your text, which is too long for a link: send it separately.")).to_be_visible()
    page.reload()
    expect(page.locator("#editor")).to_have_value(LONG)
    settle(page)
    expect(page.locator("[data-name=characters]")).to_have_text(f"{len(LONG):,}")
    expect(page.get_by_text(MISSING)).to_have_count(0)

    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_text(MISSING)).to_be_visible()

    page.get_by_role("button", name="Clear").click()
    expect(page.locator("[data-name=tokens]")).to_have_text("0")  # and not those of the example
    settle(page)
    assert page.evaluate("sessionStorage.getItem('mergescope.text')") is None

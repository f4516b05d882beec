"""The tabs of a page, and the choice among the views of a tab."""

from streamlit.testing.v1 import AppTest

from tests.pages.session import choose_values

KEYS = {"vocabulary": "Pairs", "curves": "Pairs", "try": "", "check": "Check", "algorithm": "Check"}  # view → tab
PAIRS, CHECK = "views of Pairs of train.view", "views of Check of train.view"


def tabs() -> None:
    """A page with three tabs, of which two have two views each."""
    import streamlit as st

    from pages.parts.state import address_bar
    from pages.parts.state.train_state import Train
    from pages.parts.ui import controls
    from pages.parts.ui.controls import PageView
    from tests.pages.ui.test_views import KEYS

    address_bar.open_page(Train)
    views = {key: PageView(key.title(), print, tab=tab) for key, tab in KEYS.items()}
    st.text(controls.open_view(Train, views).title)
    address_bar.publish(Train)


def opened(view: str = "vocabulary") -> AppTest:
    app = AppTest.from_function(tabs)
    app.query_params["view"] = view
    return app.run()


def drawn(app: AppTest) -> dict[str | None, tuple[list[str], object]]:
    """Return the rows of buttons: key → the titles in it, and the value that it shows."""
    return {row.key: (row.options, row.value) for row in app.segmented_control}


def test_a_tab_has_its_own_title_or_that_of_several_views():
    app = opened()
    assert drawn(app) == {
        "train.view": (["Pairs", "Try", "Check"], "vocabulary"),
        PAIRS: (["Vocabulary", "Curves"], "vocabulary"),
    }
    assert [row.label for row in app.segmented_control] == ["View", "Pairs: view"]


def test_each_view_of_a_link_opens_and_stays_in_the_link():
    for view, tab in KEYS.items():
        app = opened(view)
        assert app.text[0].value == view.title()
        assert app.query_params.get("view", "vocabulary") == view
        first = next(key for key, title in KEYS.items() if title == tab)
        assert drawn(app)["train.view"][1] == first
        assert [row.value for row in app.segmented_control[1:]] == ([view] if tab else [])


def test_a_tab_opens_its_first_view_and_keeps_its_key_and_so_the_focus():
    app = opened("curves")
    app.segmented_control(key="train.view").set_value("check").run()
    assert app.text[0].value == "Check"
    assert drawn(app).keys() == {"train.view", CHECK}
    app.segmented_control(key=CHECK).set_value("algorithm").run()
    assert (app.text[0].value, drawn(app)["train.view"][1]) == ("Algorithm", "check")
    assert drawn(app).keys() == {"train.view", CHECK}
    app.segmented_control(key="train.view").set_value("vocabulary").run()
    assert (app.text[0].value, drawn(app)[PAIRS][1]) == ("Vocabulary", "vocabulary")
    assert "view" not in app.query_params


def test_a_view_that_does_not_exist_is_refused():
    app = opened("nothing")
    assert (app.text[0].value, app.query_params.get("view")) == ("Vocabulary", None)
    choose_values(app, {"train.view": "nothing"})
    assert app.run().text[0].value == "Vocabulary"


def half_a_character() -> None:
    from pages.parts.ui import controls

    controls.copied("low\ud800")


def test_a_text_to_copy_has_only_what_streamlit_can_send():
    (shown,) = AppTest.from_function(half_a_character).run().code
    assert shown.value == "low\ufffd"

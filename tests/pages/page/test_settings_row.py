"""The settings of a training: with wrong ones the page keeps the last right training, and says once what is wrong."""

from time import monotonic

import pytest

from pages.parts.trainings import runs
from pages.parts.trainings.training_jobs import Trainings
from tests.pages.driver import components, film, html, open_page, problems, type_text
from tests.pages.session import key_of

PAGES = ["train", "algorithms"]


def test_a_bad_pattern_and_then_a_right_one():
    test = type_text(open_page("pages/train.py"), "hug hug pug")
    test.selectbox(key="train.pretokenizer").set_value("custom").run()
    before = film(test)["run"]
    test.text_input(key="train.pattern").set_value("(").run()
    assert film(test)["run"] == before
    assert len(problems(test)) == 1
    assert problems(test)[0].startswith("The pattern does not compile")
    test.text_input(key="train.pattern").set_value(r"\w").run()
    assert film(test)["run"] != before
    assert problems(test) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_vocabulary_that_is_too_small_is_said_once_and_mended_by_one_click(page):
    test = type_text(open_page(f"pages/{page}.py"), "hug hug pug")
    test.number_input(key=key_of(test, f"{page}.vocab_size")).set_value(1).run()
    assert not test.exception
    assert len(problems(test)) == 1
    assert problems(test)[0].startswith("The vocabulary size 1 is below the ")
    offer = next(button for button in test.button if button.label.startswith("Use "))
    offer.click().run()
    assert problems(test) == []
    assert test.number_input(key=key_of(test, f"{page}.vocab_size")).value == int(offer.label.split()[1])


def test_a_wrong_setting_stays_to_be_corrected_and_the_last_right_one_is_of_the_new_text():
    test = type_text(open_page("pages/train.py"), "hug hug pug")
    test.number_input(key="train.vocab_size").set_value(2).run()
    type_text(test, "a rose is a rose")
    assert test.number_input(key="train.vocab_size").value == 2
    assert "3 different words, " in html(test)
    assert len(problems(test)) == 1


def test_a_costly_training_with_too_small_a_vocabulary_ends_with_a_stand_in(monkeypatch):
    """The page's own values fail in a process, and so may the first that stand in; each is tried once."""
    monkeypatch.setattr(runs, "needs_process", lambda cost: True)
    tried = []
    ask = Trainings.ask
    monkeypatch.setattr(Trainings, "ask", lambda jobs, key, *rest: tried.append(key) or ask(jobs, key, *rest))
    test = open_page("pages/train.py", text="abcdefghij " * 3, corpus="own", vocab_size="5")
    deadline = monotonic() + 120
    while not any("sides" in data for data in components(test)) and monotonic() < deadline:
        test.run()
    assert film(test)["sides"]
    assert problems(test)[0].startswith("The vocabulary size 5 is below the ")
    assert len(tried) == len(set(tried)) == 2

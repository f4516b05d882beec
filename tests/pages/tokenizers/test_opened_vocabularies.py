"""What is remembered of vocabularies from files and from the Hub."""

from types import SimpleNamespace

import pytest

from bpe_core import HubError
from bpe_core.chat.templates import ChatTemplate
from pages.parts.server.limits import Limits
from pages.parts.state.tokenizer_keys import OPENED
from pages.parts.vocabularies import known_template, opened_vocabularies
from pages.parts.vocabularies.page_vocabulary import PageVocabulary


class Slot:
    """A place of a visitor's session, without a session."""

    def __init__(self, value):
        self.get = lambda: self.value
        self.value = value

    def put(self, value):
        self.value = value


@pytest.fixture(autouse=True)
def session(monkeypatch):
    monkeypatch.setattr(opened_vocabularies, "_OPENED", Slot({}))
    monkeypatch.setattr(opened_vocabularies, "LIMITS", Limits(opened_tokenizers=3))
    monkeypatch.setattr(known_template, "_FETCHED", Slot({}))


def test_of_many_files_with_one_name_the_oldest_is_forgotten(monkeypatch):
    def vocabulary(files, _):
        return PageVocabulary("tokenizer.json", "tokenizer.json", "", SimpleNamespace(), content=str(files))

    monkeypatch.setattr(opened_vocabularies.page_vocabulary, "opened", vocabulary)
    monkeypatch.setattr(opened_vocabularies.page_vocabulary, "content_of", lambda files, _: str(files))
    last = []
    for number in range(8):
        found = opened_vocabularies.open_files({"tokenizer.json": bytes([number])}, None)
        last = [*last, found.content][-3:]
        kept = opened_vocabularies.opened()
        assert kept[OPENED] is found
        assert [each.content for key, each in kept.items() if key != OPENED] == last
        assert all(key in (each.name, OPENED) for key, each in kept.items())


def test_a_template_that_the_hub_could_not_give_is_asked_for_again(monkeypatch):
    asked, clock = [], [0.0]

    def fetch(name, files, private):
        asked.append(name)
        if len(asked) == 1:
            raise HubError("The Hub could not give it now (503); try again later.")
        return {"chat_template.jinja": b"{{ messages }}"}

    monkeypatch.setattr(known_template.hub, "fetch_files", fetch)
    monkeypatch.setattr(known_template, "monotonic", lambda: clock[0])
    for _ in range(2):
        assert "(503)" in known_template.fetched("hub:a/b").why_none
    clock[0] = 61.0
    for _ in range(2):
        assert known_template.fetched("hub:a/b").template == ChatTemplate("{{ messages }}")
    assert asked == ["a/b", "a/b"]

"""Every question of the record is answered as version 3 answered it.

`make test` asks every eighteenth link of version 3.0.0 and all that were added since, every second command, and
nothing that takes long; `make test-all` asks all.
"""

import pytest

from bpe_core import PRETOKENIZERS
from tests.version_3 import commands, names
from tests.version_3.make import ANSWERS
from tests.version_3.record import Answer, added, read
from tests.version_3.rows import rows_for

# In a question of files.txt: a whole vocabulary is written, or many of them are loaded.
LONG = ("published(", 'start="gpt2"', "view=appended", "compared=languages")


def asked(*files: str) -> pytest.MarkDecorator:
    """Return a test's parameters: the file, the question and the recorded answer of each question of some files."""
    rows = []
    for file in files:
        since = set(added(file))
        for number, (question, recorded) in enumerate(read(file).items()):
            every = {"links.txt": 1 if question in since else 18, "commands.txt": 2}.get(file, 1)
            later = number % every or (file == "files.txt" and any(word in question for word in LONG))
            rows.append(
                pytest.param(file, question, recorded, marks=[pytest.mark.thorough] if later else [], id=question)
            )
    return pytest.mark.parametrize(("file", "question", "recorded"), rows)


@asked("links.txt", "files.txt", "values.txt")
def test_it_is_answered_as_before(file: str, question: str, recorded: Answer):
    assert ANSWERS[file](question) == recorded


@asked("commands.txt")
def test_a_command_does_what_it_did(file: str, question: str, recorded: Answer):
    now = commands.answer(question)
    assert set(recorded) <= set(now) if "--help" in question else now == recorded


@asked("names.txt")
def test_a_public_name_can_be_used_as_it_was(file: str, question: str, recorded: Answer):
    assert names.lost(question, recorded) == []


def test_a_question_sees_the_first_rows_and_those_that_it_names(monkeypatch):
    monkeypatch.setitem(PRETOKENIZERS, "gpt2-later", PRETOKENIZERS["gpt2"])
    monkeypatch.setitem(PRETOKENIZERS, "later", PRETOKENIZERS["gpt2"])
    rows = list(PRETOKENIZERS)
    for question, seen in {
        "/train?pretokenizer=later&step=2": "later",
        "/compare?left=gpt2&right=later": "later",
        'trained("gpt2-later").merges': "gpt2-later",
    }.items():
        with rows_for(question):
            assert [*PRETOKENIZERS] == [row for row in rows if row == seen or "later" not in row]
        assert [*PRETOKENIZERS] == rows
    monkeypatch.undo()
    with rows_for("/train"):
        assert [*PRETOKENIZERS] == [row for row in rows if "later" not in row]


def test_what_was_added_is_always_asked():
    (rows,) = asked("links.txt").args[1:]
    always = [row.id for row in rows if not row.marks]
    assert set(added("links.txt")) <= set(always)
    assert len(added("links.txt")) < len(always) < len(rows) / 10

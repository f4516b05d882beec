"""Every question of the record is answered as version 2 answered it.

`make test` asks every eighteenth link, and nothing that takes long; `make test-all` asks all.
"""

import pytest

from tests.version_2 import commands, names
from tests.version_2.make import ANSWERS
from tests.version_2.record import Answer, read

LONG = ("published(", 'start="gpt2"')  # in a question of files.txt: a whole vocabulary is written


def asked(*files: str) -> pytest.MarkDecorator:
    """Return a test's parameters: the file, the question and the recorded answer of each question of some files."""
    rows = []
    for file in files:
        for number, (question, recorded) in enumerate(read(file).items()):
            long = file == "files.txt" and any(word in question for word in LONG)
            later = long or (file == "links.txt" and number % 18)
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

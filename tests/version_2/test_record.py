"""Every question of the record is answered as version 2 answered it."""

import pytest

from tests.version_2 import commands, names
from tests.version_2.make import ANSWERS
from tests.version_2.record import Answer, read


def asked(*files: str) -> pytest.MarkDecorator:
    """Return a test's parameters: the file, the question and the recorded answer of each question of some files."""
    rows = [(file, question, recorded) for file in files for question, recorded in read(file).items()]
    return pytest.mark.parametrize(("file", "question", "recorded"), rows, ids=[row[1] for row in rows])


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

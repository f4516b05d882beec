"""Train's settings on this page: how a split of the same name differs from Train's, and one press that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from bpe_core.text.pretokenizers import PRETOKENIZERS
from pages.parts.state import state
from pages.parts.state.chosen_settings import ChosenSettings, by_published_start
from pages.parts.state.compare_state import NOT_OF_A_SIDE, SIDES, Compare, Side, SideName
from pages.parts.state.train_state import Train
from pages.parts.state.values import changed
from pages.parts.ui import controls

_COMPARED = [each.name for each in fields(Side) if each.name not in NOT_OF_A_SIDE]
# How a side differs from Train, in words that follow the name of its split. Other settings are only said to differ.
_IN_WORDS = {
    "word_marker": {"none": "no _", "end": "words end in _", "start": "words begin with _"},
    "alphabet": {"bytes": "bytes", "characters": "characters"},
}


def difference(side: ChosenSettings, train: ChosenSettings) -> str:
    """Return how a side's settings differ from Train's where both have the same split; "" where they do not.

    >>> difference(Side(), Train()), difference(Side(word_marker="end", alphabet="bytes"), Train())
    ('no _', 'bytes')
    >>> difference(Side(pretokenizer="gpt2"), Train()), difference(Side(word_marker="end"), Train())
    ('', '')
    """
    here, there = (_settings(each) for each in (side, train))
    different = [name for name in _COMPARED if here[name] != there[name]]
    if "pretokenizer" in different or not different:
        return ""
    said = [words[str(here[name])] for name, words in _IN_WORDS.items() if name in different]
    return ", ".join(said) or "not as on Train"


def _settings(chosen: ChosenSettings) -> dict[str, object]:
    """Return the settings that a side can have, by name. A pattern counts only where it is the split."""
    found = {name: getattr(chosen, name) for name in _COMPARED} | by_published_start(chosen.start)
    return found if found["pretokenizer"] == "custom" else found | {"pattern": ""}


def titles(name: SideName) -> dict[str, str]:
    """Return a title for Train's split in a side's menu, by key, that says how the side would differ from Train.

    Empty if it would not.
    """
    side, train = getattr(state.read(Compare), name), state.read(Train)
    said = difference(replace(side, pretokenizer=train.pretokenizer), train)
    return {train.pretokenizer: f"{PRETOKENIZERS[train.pretokenizer].title}, {said}"} if said else {}


def button() -> None:
    """Draw a button that takes Train's settings, if a side has Train's split. The button has a ✓ if nothing differs.

    The button stays after it was pressed, and so does the focus.
    """
    now, train = state.read(Compare), state.read(Train)
    sides = _with_trains_split(now, train)
    if sides:
        taken = with_trains_settings(now) == now
        there = "" if _has_trains(sides, train) else difference(train, sides[0])
        settings = ", ".join(filter(None, (there, f"vocabulary size {train.vocab_size:,}")))
        about = "The side with Train's split has Train's settings." if taken else f"Take Train's settings: {settings}."
        label = "✓ As on Train" if taken else "As on Train"
        controls.button(label, Compare, with_trains_settings, key="compare.as on train", help=about)


def with_trains_settings(now: Compare) -> Compare:
    """Return the state in which a side with Train's split has Train's settings, and with Train's vocabulary size.

    The other side stays as it is, so that there is something to compare.
    """
    train = state.read(Train)
    sides = _with_trains_split(now, train)
    values: dict[str, object] = {"vocab_size": train.vocab_size}
    if sides and not _has_trains(sides, train):
        name = SIDES[0] if sides[0] is now.left else SIDES[1]
        values |= {f"{name}_{setting}": getattr(train, setting) for setting in _COMPARED}
    return changed(now, values)


def _with_trains_split(now: Compare, train: Train) -> list[Side]:
    split = _settings(train)["pretokenizer"]
    return [side for side in (now.left, now.right) if _settings(side)["pretokenizer"] == split]


def _has_trains(sides: Sequence[Side], train: Train) -> bool:
    """Return whether one of some sides with Train's split has all of Train's settings."""
    return not all(difference(side, train) for side in sides)

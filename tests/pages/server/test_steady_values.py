"""Tests for the values of widgets that one thread counts through while another one adds to them."""

from pages.parts.server import steady_values
from pages.parts.server.inside_streamlit import SessionState, WStates


def test_a_value_may_be_added_while_the_values_are_counted_through(monkeypatch):
    """As an older thread of the visitor does; Python itself would raise an error."""
    for kind, name in ((WStates, "__iter__"), (SessionState, "_keys")):
        monkeypatch.setattr(kind, name, getattr(kind, name))  # put back after the test
    steady_values.begin()
    state = SessionState()
    values = state._new_widget_state
    values.states |= {"one": None, "two": None}
    for name in values:
        values.states[f"with {name}"] = None
    assert [*values] == ["one", "two", "with one", "with two"]

    def id_of(state: SessionState, key: str) -> str:
        if key == "early":
            state._old_state["late"] = 0
        return key

    state._old_state["early"] = 0
    monkeypatch.setattr(SessionState, "_get_widget_id", id_of)
    assert {"early", "late", "one"} <= state._keys()

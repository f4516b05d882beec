"""What a visitor changes is drawn, even if the browser sends it as the change of another part of the page.

Streamlit's browser sends what changes at one moment in one message, which names one fragment. So if a picture tells its
step at the moment in which a menu of the page is chosen from, the server runs the picture's fragment, and the page does
not show the choice:

    the picture, in fragment a ┐
                               ├── one message: run a ──→ a is drawn ──→ the whole page is drawn
    the menu, in no fragment ──┘                                         (this file asks for it)

A picture that was not answered asks again by itself (see `bpe_core/pictures/shared/channel.js`), so for a picture the
page is not drawn again.
"""

from __future__ import annotations

from typing import Any

from pages.parts.server.inside_streamlit import SessionState, get_script_run_ctx

_call = SessionState._call_callbacks  # Streamlit's own
PICTURE = "json_value"  # the type of what a picture sends


def begin() -> None:
    """Let Streamlit run the whole page from now on if something changed outside of the fragment that it runs."""
    SessionState._call_callbacks = _call_callbacks  # type: ignore[assignment, method-assign]


def _call_callbacks(state: SessionState, **more: Any) -> None:
    ctx = get_script_run_ctx()
    running = ctx.fragment_ids_this_run if ctx else None
    is_elsewhere = running and any(_changed_elsewhere(state, name, running) for name in state._new_widget_state)
    _call(state, **more)
    if ctx and ctx.script_requests and is_elsewhere:
        ctx.script_requests.request_rerun_batch([state._build_full_app_rerun(ctx)])


def _changed_elsewhere(state: SessionState, name: str, running: list[str]) -> bool:
    known = state._new_widget_state.widget_metadata.get(name)
    if known is None or known.disabled or known.value_type == PICTURE or known.fragment_id in running:
        return False
    return state._widget_changed(name)

"""The picture arrives first: the browser draws it before the rest of the answer comes.

A browser draws together what arrives together, and shows nothing before all is drawn. So after its picture a page
gives the browser a moment. The visitor sees the picture at once, and what is below it right after:

    the thread     draws the picture ╴ waits ╶╶╶ draws the rest
    the browser                          shows the picture ╴ shows the rest

A message of the visitor that comes meanwhile ends the wait. Beside others who are answered nobody waits: `fair`
would count the wait as a use of the processor. A whole page does not wait either: what came later would move the rest.
"""

from __future__ import annotations

from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.server.whole_answers import PatientRequests

MOMENT = 0.03  # seconds from when the loop has taken the picture; the browser shows a picture in about 20 ms


def picture_first() -> None:
    """Wait for a moment, in which the browser draws what the page has drawn so far. Only a server's thread waits."""
    context = get_script_run_ctx(suppress_warning=True)
    requests = context.script_requests if context and context.fragment_ids_this_run else None
    if isinstance(requests, PatientRequests) and len(requests.answering) == 1:  # this thread's own
        requests.wait(MOMENT)

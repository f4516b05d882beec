"""What the first page of a server sets up for its whole process."""

import logging
import sys

from pages.parts.session import open_files, server, server_log
from tests.pages.driver import open_page


def test_the_first_page_sets_the_server_up(monkeypatch):
    raised, before = [], sys.getswitchinterval()
    monkeypatch.setattr(open_files, "raise_limit", lambda: raised.append(True))
    server.set_up.clear()
    sys.setswitchinterval(0.005)
    try:
        open_page("app.py")
        assert sys.getswitchinterval() == server.SWITCH_INTERVAL
    finally:
        sys.setswitchinterval(before)
    assert raised == [True]
    for name in server_log.LOGGERS:
        assert sum(isinstance(each, server_log.Short) for each in logging.getLogger(name).filters) == 1

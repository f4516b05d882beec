"""What is set up before the first visitor comes."""

import logging
import sys

from pages.parts.session import open_files, server, server_log


def test_the_server_is_set_up_when_it_starts(monkeypatch):
    raised, before = [], sys.getswitchinterval()
    monkeypatch.setattr(open_files, "raise_limit", lambda: raised.append(True))
    sys.setswitchinterval(0.005)
    try:
        server.start()
        assert sys.getswitchinterval() == server.SWITCH_INTERVAL
    finally:
        sys.setswitchinterval(before)
    assert raised == [True]
    for name in server_log.LOGGERS:
        assert sum(isinstance(each, server_log.Short) for each in logging.getLogger(name).filters) == 1

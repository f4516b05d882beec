"""The app as behind a proxy, which has it under a path: how a process of its own starts."""

import sys

COMMAND = [sys.executable, "-c", "from bpe_core.cli.mergescope import main; main()"]
BASE = "/some/where"

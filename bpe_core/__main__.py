"""`python -m bpe_core`: the command line (see `cli`)."""

import sys

from bpe_core.cli import run

sys.exit(run())

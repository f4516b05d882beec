"""`python -m bpe_core`: the command line (see `cli`)."""

import sys

from bpe_core.cli.main import main

sys.exit(main())

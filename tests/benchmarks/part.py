"""One part of the measurements in a process of its own: `python -m tests.benchmarks.part FD MODULE FUNCTION ARGUMENTS`.

It writes to the pipe with that number: each row as JSON, and at its end `null`, or as a string what it failed with.
"""

import json
import os
import sys
import traceback
from importlib import import_module


def main(pipe: str, module: str, function: str, arguments: str) -> int:
    """Measure, and return 1 if that fails."""
    os.set_inheritable(int(pipe), False)
    with open(int(pipe), "w", buffering=1, encoding="utf-8") as rows:
        failed = None
        try:
            for row in getattr(import_module(module), function)(**json.loads(arguments)):
                print(json.dumps(row), file=rows)
        except Exception as error:
            traceback.print_exc()
            failed = f"{type(error).__name__}: {error}"
        print(json.dumps(failed), file=rows)
    return failed is not None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

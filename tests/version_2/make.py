"""Answer all questions anew: `python -m tests.version_2.make`. When that is right: see the package's docstring."""

import logging
from collections.abc import Callable

from tests.pages.driver import quick_driver
from tests.version_2 import commands, expressions, names, pages_seen, record
from tests.version_2.record import Answer

ANSWERS: dict[str, Callable[[str], Answer]] = {
    "links.txt": pages_seen.answer,
    "commands.txt": commands.answer,
    "files.txt": expressions.hashes,
    "values.txt": expressions.answer,
    "names.txt": names.answer,
}


def main() -> None:
    """Write the files of the record."""
    logging.disable(logging.WARNING)  # Streamlit's, since no server runs
    with quick_driver():
        for name, answer in ANSWERS.items():
            record.write(name, answer)


if __name__ == "__main__":
    main()

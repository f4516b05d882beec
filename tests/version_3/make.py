"""Answer all questions anew: `python -m tests.version_3.make`. When that is right: see the package's docstring."""

import logging
from collections.abc import Callable
from functools import partial

from tests.pages.driver import quick_driver
from tests.version_3 import commands, expressions, names, pages_seen, record
from tests.version_3.record import Answer
from tests.version_3.rows import rows_for

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
            record.write(name, partial(_answered, answer))


def _answered(answer: Callable[[str], Answer], question: str) -> Answer:
    with rows_for(question):
        return answer(question)


if __name__ == "__main__":
    main()

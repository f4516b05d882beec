"""A lesson as one HTML page to print: the questions, and the key on a page of its own."""

from __future__ import annotations

from html import escape

from pages.parts.learn.lessons import Lesson
from pages.parts.learn.questions import Question
from pages.parts.views.theme import STYLE

_PRINT = """
:root { color-scheme: light; }
body { font: 11pt/1.4 "Source Sans", "Source Sans 3", system-ui, sans-serif; color: #1c1b19; }
body { max-width: 46rem; margin: 1.5rem auto; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.1rem 0 0.3rem; }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; margin: 0.3rem 0; }
.tokens { font-size: 0.8rem; line-height: 1.5; }
.words { grid-template-columns: repeat(4, max-content minmax(0, 1fr)); font-size: 0.68rem; }
.scroll { max-height: none; overflow: visible; }
.sentence { font-size: 1rem; line-height: 1.6; } .key { break-before: page; } section { break-inside: avoid; }
.key { font-size: 10pt; } .key p { margin: 0.25rem 0; } * { print-color-adjust: exact; }
@page { size: A4; margin: 1.5cm; }
"""


def worksheet(made: Lesson) -> str:
    """The page as HTML, without any script or link.

    >>> from pages.parts.learn.lessons import lesson
    >>> page = worksheet(lesson("pairs"))
    >>> page.index("Which pair is joined first?") < page.index('class="key"') < page.index("✓")
    True
    """
    asked = "".join(_asked(number, one) for number, one in enumerate(made.questions, 1))
    key = "".join(_answered(number, one) for number, one in enumerate(made.questions, 1))
    title = escape(made.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}{_PRINT}</style></head><body>"
        f"<h1>{title}</h1><p>{escape(made.opening)} Afterwards you can {escape(made.can)}.</p>{asked}"
        f'<div class="key"><h1>{title}: key</h1>{key}<p><b>Take away:</b> {made.take_away()}</p></div></body></html>'
    )


def _asked(number: int, asked: Question) -> str:
    options = "".join(f"<li>☐ {escape(label)}</li>" for label in asked.labels)
    return f"<section><h2>{number}. {asked.ask}</h2>{asked.look}<ul>{options}</ul></section>"


def _answered(number: int, asked: Question) -> str:
    wrong = "".join(f"<p>✗ <b>{escape(lure.label)}</b>: {lure.why}</p>" for lure in asked.lures)
    right = f"<p>✓ <b>{escape(asked.right.label)}</b>: {asked.right.why}</p>"
    return f"<section><h2>{number}. {asked.ask}</h2>{right}{wrong}</section>"

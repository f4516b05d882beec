"""A lesson as an HTML page to print: the questions, and on a separate sheet the key."""

from __future__ import annotations

from markupsafe import Markup

from bpe_core.display.html import joined
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


_PAGE = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>{style}</style></head><body>"
    "<h1>{title}</h1><p>{opening} Afterwards you can {can}.</p>{asked}"
    '<div class="key"><h1>{title}: key</h1>{key}<p><b>Take away:</b> {take_away}</p></div></body></html>'
)
_ASKED = Markup("<section><h2>{}. {}</h2>{}<ul>{}</ul></section>")
_OPTION = Markup("<li>☐ {}</li>")
_KEY = Markup("<section><h2>{}. {}</h2>{}{}</section>")
_ANSWER = Markup("<p>{} <b>{}</b>: {}</p>")


def worksheet(made: Lesson) -> str:
    """Return the worksheet of a lesson as HTML, without any script or link.

    >>> from pages.parts.learn.lessons import lesson
    >>> page = worksheet(lesson("pairs"))
    >>> page.index("Which pair is joined first?") < page.index('class="key"') < page.index("✓")
    True
    """
    numbered = list(enumerate(made.questions, 1))
    return _PAGE.format(
        title=made.title,
        style=Markup(STYLE + _PRINT),
        opening=made.opening,
        can=made.can,
        asked=joined(_asked(number, one) for number, one in numbered),
        key=joined(_answered(number, one) for number, one in numbered),
        take_away=Markup(made.take_away()),
    )


def _asked(number: int, asked: Question) -> Markup:
    return _ASKED.format(number, asked.ask, asked.look, joined(map(_OPTION.format, asked.labels)))


def _answered(number: int, asked: Question) -> Markup:
    right = _ANSWER.format("✓", asked.right.label, asked.right.why)
    wrong = joined(_ANSWER.format("✗", lure.label, lure.why) for lure in asked.lures)
    return _KEY.format(number, asked.ask, right, wrong)

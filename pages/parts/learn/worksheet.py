"""A lesson as an HTML file to print: the questions, and on a separate sheet the key."""

from __future__ import annotations

from markupsafe import Markup

from bpe_core.pictures.paper.html import joined
from pages.parts.learn.lessons import Lesson
from pages.parts.learn.questions import NEARLY, RIGHT, SAME, WRONG, Question, judge
from pages.parts.ui.terms import without_terms
from pages.parts.ui.theme import STYLE

_PRINT = """
:root { color-scheme: light; }
body { font: 11pt/1.4 "Source Sans", "Source Sans 3", system-ui, sans-serif; color: #1c1b19; }
body { max-width: 46rem; margin: 1.5rem auto; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.1rem 0 0.3rem; }
details { display: none; } .room { height: 3.2cm; border: 1px dotted #bbb; margin: 0.4rem 0; }
.room::before { content: "Room to count"; color: #999; font-size: 0.75rem; padding: 0.2rem; }
header { display: flex; justify-content: space-between; gap: 1rem; } .qr { width: 2.6cm; height: 2.6cm; }
ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.6rem; margin: 0.3rem 0; }
.tokens { font-size: 0.8rem; line-height: 1.5; }
.words { grid-template-columns: repeat(4, max-content minmax(0, 1fr)); font-size: 0.68rem; }
.scroll { max-height: none; overflow: visible; } .scroll::after { display: none; }
.sentence { font-size: 1rem; line-height: 1.6; } .answers { break-before: page; } section { break-inside: avoid; }
.answers { font-size: 10pt; } .answers p { margin: 0.25rem 0; } * { print-color-adjust: exact; }
@page { size: A4; margin: 1.5cm; }
"""


_PAGE = Markup(
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    "<style>{style}</style></head><body>"
    "<header><div><h1>{title}</h1><p>{opening} Afterwards you can {can}.</p><p>{taken}</p></div>{code}</header>{asked}"
    '<div class="answers"><h1>{title}: key</h1>{key}<p><b>Take away:</b> {take_away}</p></div></body></html>'
)
_ASKED = Markup('<section><h2>{}. {}</h2>{}<ul>{}</ul><div class="room"></div></section>')
_LINE = Markup("<li>Answer: ____________________</li>")
_OPTION = Markup("<li>☐ {}</li>")
_KEY = Markup("<section><h2>{}. {}</h2>{}</section>")
_ANSWER = Markup("<p>{} <b>{}</b>: {}</p>")
_SIGNS = {RIGHT: "✓", NEARLY: "≈ counts as right:", WRONG: "✗"}


def worksheet(made: Lesson, code: str = "") -> str:
    """Return the worksheet of a lesson as HTML, without any script or link. `code`: the picture of a QR code, as HTML.

    A question is left out if another question on the sheet gives its answer away.

    >>> from pages.parts.learn.lessons import lesson
    >>> page = worksheet(lesson("pairs"))
    >>> page.index("Which pair is merged first?") < page.index('class="answers"') < page.index("✓")
    True
    """
    numbered = list(enumerate((one for one in made.questions if one.paper), 1))
    return _PAGE.format(
        title=made.title,
        style=Markup(STYLE + _PRINT),
        opening=without_terms(made.opening),
        can=made.can,
        taken=made.part_note,
        code=Markup(code),
        asked=joined(_asked(number, one) for number, one in numbered),
        key=joined(_answered(number, one) for number, one in numbered),
        take_away=made.take_away(),
    )


def _asked(number: int, asked: Question) -> Markup:
    ask, look = on_paper(asked)
    offered = joined(map(_OPTION.format, asked.labels)) if (asked.paper or SAME).offers else _LINE
    return _ASKED.format(number, ask, look, offered)


def on_paper(asked: Question) -> tuple[Markup, Markup]:
    """Return a question as a worksheet prints it: the question itself, and what is above it."""
    paper = asked.paper or SAME
    return Markup(paper.ask) or asked.ask, Markup(paper.look) or asked.look


def _answered(number: int, asked: Question) -> Markup:
    verdicts = [(option.label, judge(asked, option.label)) for option in (asked.right, *asked.wrong_answers)]
    answers = joined(_ANSWER.format(_SIGNS[verdict.kind], label, verdict.why) for label, verdict in verdicts)
    return _KEY.format(number, on_paper(asked)[0], answers)

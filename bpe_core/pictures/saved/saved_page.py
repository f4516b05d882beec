"""A live view as a saved page: one HTML file that plays from disk, with its script and all its data.

A saved page sends no request. It has four parts:

    <head>      a policy: no request, and no script except the page's own scripts, whose hashes the policy lists
    #view       the view's elements and style sheet, in a shadow root
    #data       the view's data as compressed JSON; the data of a film has all chunks
    <script>    one script: the view's modules, and the source that answers the view. Vega's script, if given, is first

The words of a page are escaped. The data is base64, so that no text in the data can end the element.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from bpe_core import arguments
from bpe_core.corpus.counting import Progress
from bpe_core.pictures.film.film_answer import (
    Film,
    FilmLayout,
    Position,
    ShownSide,
    aligned_words,
    film_answer,
    words_of,
)
from bpe_core.pictures.film.film_script import FILM, Charts, film_script
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.film.start_side import StartSide
from bpe_core.pictures.film.timeline import timeline
from bpe_core.pictures.saved.page_file import SavedPage
from bpe_core.pictures.shared.colours import INK
from bpe_core.pictures.shared.json_form import Json, compact, compressed
from bpe_core.pictures.shared.request import Request
from bpe_core.pictures.shared.style import ACCENT, VARIABLES, light_dark
from bpe_core.pictures.shared.token_text import glyph_in, glyph_of
from bpe_core.pictures.shared.training_in_words import chosen_in_words, settings_in_words, side_titles, start_title
from bpe_core.pictures.shared.view import View
from bpe_core.pictures.tokens.token_facts import most_interesting
from bpe_core.pictures.tokens.tokens_data import SECTIONS, TOKENS, TokensState, text_data
from bpe_core.record.run import Run
from bpe_core.record.side_by_side import SideBySide
from bpe_core.record.start_merges import start_merges
from bpe_core.text.alphabet import without_surrogates
from bpe_core.text.in_words import counted
from bpe_core.tokenizer.encoding import Encoding

MOST_STEPS = 10_000  # of a training in a saved page; the page's file has the frames of all these steps
# The sections that need no server. In a film of two sides nobody guesses the next merge.
_ONE_SIDE = ("sentence", "corpus", "pairs", "merges", "predict")
_TWO_SIDES = ("sentence", "corpus", "pairs", "merges")
# The introduction, for a reader who was sent the page without any other words.
_ABOUT_FILM = (
    "This is how byte-pair encoding learns its tokens: each step joins the most frequent pair of neighbours into a new "
    "token. Press Play, or step with the arrow keys.",
)
_ABOUT_TEXT = "This is a text as the tokens that a language model reads."
_ABOUT_MERGES = "Start shows its bytes, Play the merges that make tokens of them; a click on a token shows its tree."
# The project's address, to which saved pages lead once it has one. pyproject.toml and CITATION.cff name the same.
ADDRESS = ""
# What the marks mean, for the same reader.
MARKS = (
    "· is a space, ⏎ a line break, ⇥ a tab. A name in ⟨ ⟩ is a character that cannot be seen; digits such as F0 9F are "
    "bytes that are not a whole character."
)
FILM_HEIGHT, TEXT_HEIGHT = 720, 600  # pixels of a page in a notebook
_POLICY = (
    "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'{}"
)
# The beginning of a page, up to its title.
HEAD = Markup("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
{back}<h1>{title}</h1>
""")
_BACK = Markup('<nav class="note"><a href="{}">{}</a></nav>\n')
_MERGESCOPE = Markup('<a href="{}">Mergescope</a>').format(ADDRESS) if ADDRESS else "Mergescope"
_PAGE = HEAD + Markup("""{words}
<div id="view"><template shadowrootmode="open"><style>{css}</style>{html}</template></div>
<noscript><p>This page plays in a browser that runs its script.</p></noscript>
</main>
<footer><p class="note">{legend}</p>
<p class="note">Made with {mergescope}, \
which also searches, takes other branches and explains tokens. This page needs no server and sends nothing.</p></footer>
<script type="text/plain" id="data">{data}</script>
{scripts}
</body>
</html>
""")
_SCRIPT = Markup('<script type="module">{}</script>')
_PARAGRAPH = Markup('<p class="{}">{}</p>')
STYLE = f"""
:root {{ color-scheme: light dark; {VARIABLES}
--st-font: "Source Sans 3", system-ui, sans-serif; --st-base-radius: 0.4rem; --st-background-color: var(--paper);
--st-text-color: {light_dark(INK)}; --st-primary-color: {light_dark(ACCENT)}; }}
body {{ margin: 1rem auto; max-width: 84rem; padding: 0 1rem; background: var(--st-background-color); color: var(--ink);
font: 1rem/1.6 var(--st-font); overflow-wrap: anywhere; }}
h1 {{ font-size: var(--size-large); margin: 0 0 0.2rem; }}
a {{ color: var(--accent); }}
.about {{ margin: 0 0 0.3rem; max-width: 60rem; }}
.note {{ margin: 0; color: var(--soft); font-size: var(--size-small); }}
#view {{ margin: 0.8rem 0; }}
@media print {{ :root {{ color-scheme: light; }} body {{ margin: 0; }} }}
"""
# hides the box for the facts about a token, which only a server can compute
_NO_FACTS = "\n.why { display: none; } .body .panel { min-height: 0; }"


class Back(NamedTuple):
    """The page to which a saved page leads back."""

    address: str
    title: str


def film(
    run: Run,
    step: int = 0,
    title: str = "",
    glyph: str = "_",
    beside: Run | None = None,
    about: Sequence[str] = (),
    charts: Charts | None = None,
    stage: int | None = None,
    progress: Progress | None = None,
    back: Back | None = None,
) -> SavedPage:
    """Return the film of a training as a saved page that opens at `step`.

    Of a training with more than `MOST_STEPS` steps the page has only the first. `glyph`: the text drawn for the word
    marker. `beside`: another training on the same text; one step bar moves both trainings. `about`: paragraphs above
    the film; if empty, a paragraph about byte-pair encoding. `charts`: the charts that Vega draws; None for a film that
    lists the pairs. `stage`: the index in `timeline.blocks` of the stage that opens; None for the stage of the step. A
    reader can enter the other stages. `progress(phase, done, total)` is called again and again, as by `train`. `back`:
    the page to which a link above the title leads.

    Raises `ValueError` for a step that the trainings do not have, and for two trainings on different texts.

    >>> from bpe_core import Settings, train
    >>> film(train("hug hug", Settings(vocab_size=258))).title
    'A training of 2 merges'
    """
    _refuse_paths(step, title)
    arguments.text(title, "a title")
    arguments.function(progress, "progress")
    if not isinstance(beside, Run | None):
        raise TypeError(f"beside is another run, and this is {type(beside).__name__}")
    runs = [run] if beside is None else [run, beside]
    if progress:
        progress("indexing", 0, 1)
    sections = _ONE_SIDE if beside is None else _TWO_SIDES
    layout = FilmLayout(("timeline", *sections), vega="#vega" if charts else "")
    if beside is None:
        sides = _sides(run, glyph, progress)
        opened = stage if stage is not None else len(sides) - len(run.stages) + run.stages.index(run.at(step)[0])
        sides[opened].record.at(step - sides[opened].begin)  # raises
        films = [([side], [_shown(run, number, side)]) for number, side in enumerate(sides)]
        names = [""]
    else:
        max((each.stages[-1] for each in runs), key=lambda each: each.steps).at(step)  # raises
        signs = [glyph_of(each.word_marker, each.tokens, glyph) for each in runs]
        sides = [RunSide(each, sign, MOST_STEPS, begin=0) for each, sign in zip(runs, signs, strict=True)]
        two = _two_stages(run, beside, sides)
        opened, films, names = 0, [(sides, two)], [each.title for each in two]
    as_text = _chunk_text(sum(side.steps + 1 for side in sides), progress)
    contents = (
        _content(own, shown, step if number == opened else own[0].begin, layout, as_text)
        for number, (own, shown) in enumerate(films)
    )
    content = f'{{"films":[{",".join(contents)}],"open":{opened}}}'
    title = title or film_title(run, beside)
    remarks = [_titled(name, _cut(each)) for name, each in zip(names, runs, strict=True) if _cut(each)]
    notes = [*(_titled(name, note) for name, each in zip(names, runs, strict=True) for note in _trained(each, glyph))]
    legend = f"{MARKS} Brackets show where a {films[opened][1][0].unit} begins and ends."
    code = film_script(charts, "saved/film_page.js")
    vega = charts.vega if charts else ""
    made = _page(FILM, code, content, title, about or _ABOUT_FILM, notes + remarks, legend, vega, back)
    return SavedPage(title, made, FILM_HEIGHT, " ".join(remarks))


def view(
    encoding: Encoding,
    tokenizer: str = "this tokenizer",
    glyph: str = "_",
    title: str = "",
    about: Sequence[str] = (),
    step: int | None = None,
    back: Back | None = None,
) -> SavedPage:
    """Return a saved page on which merges turn the bytes of a text into tokens.

    `tokenizer`: the name of the tokenizer. `about`, `back`: as for `film`. `step`: the step at which the page opens;
    None for the last step.

    >>> from bpe_core import Settings, train
    >>> view(train("hug hug", Settings(vocab_size=258)).tokenizer().encode("hug")).title
    'A text in the tokens of this tokenizer'
    """
    _refuse_paths(tokenizer)
    arguments.text(tokenizer, "the name of a tokenizer")
    arguments.text(title, "a title")
    walk = encoding.walk
    step = len(walk.vocabulary.merges) if step is None else step
    state: TokensState = {
        "version": 1, "answered": 0, "title": tokenizer, "step": step, "at": most_interesting(walk, step),
        "facts": None, "shows": SECTIONS, "options": {}, "no_merges": encoding.tokenizer.model.no_merges,
    }  # fmt: skip
    data = text_data(walk, glyph_in(walk.vocabulary, glyph), state)
    shown = TOKENS._replace(entry="saved/text_page.js", css=TOKENS.css + _NO_FACTS)
    title = title or text_title(tokenizer)
    usual = " ".join([_ABOUT_TEXT, *([_ABOUT_MERGES] if walk.vocabulary.merges else [])])
    notes = [f"Tokenizer: {tokenizer}"]
    made = _page(shown, shown.script(), compact({"data": data}), title, about or [usual], notes, MARKS, back=back)
    return SavedPage(title, made, TEXT_HEIGHT)


def _chunk_text(total: int, progress: Progress | None) -> Callable[[Json], str]:
    """Return a function that turns a chunk into JSON, and reports how many of `total` frames are drawn by now."""
    done = 0

    def as_text(chunk: Json) -> str:
        nonlocal done
        done += len(chunk["frames"])
        if progress:
            progress("drawing", done, total)
        return compact(chunk)  # at once, since all chunks together take much more memory than their JSON

    return as_text


def _content(
    sides: Sequence[RunSide],
    shown: Sequence[ShownSide],
    step: int,
    layout: FilmLayout,
    as_text: Callable[[Json], str],
) -> str:
    """Return as JSON the data of a film, and separately the frames of all its steps, in chunks that the film requests.

    `as_text`: returns the JSON of a chunk.
    """
    now = Position(min(step, max(side.begin + side.steps for side in sides)))
    data = film_answer(Request(), Film(shown), now, 1, layout)
    assert data["first"] is not None  # the request knows nothing yet
    first = {**data["first"], "chunks": []}
    chunks = ",".join(f"[{','.join(map(as_text, side.chunks()))}]" for side in sides)
    return f'{{"data":{compact({**data, "first": first, "alone": True})},"chunks":[{chunks}]}}'


def _sides(run: Run, glyph: str, progress: Progress | None) -> list[RunSide]:
    """Return all stages of a training (see `timeline.blocks`), each for a film of its own."""
    glyph = glyph_of(run.word_marker, run.tokens, glyph)
    begun: list[RunSide] = []
    if run.start is not None:
        begun = [StartSide(start_merges(run.stages[0], progress), start_title(run), glyph, MOST_STEPS)]
    return begun + [RunSide(run, glyph, MOST_STEPS, number) for number in range(len(run.stages))]


def _shown(run: Run, number: int, side: RunSide) -> ShownSide:
    """Return a stage of a training as a film shows it. `number`: its index in `timeline.blocks`."""
    return ShownSide(side, words_of(side), unit=side.record.settings.splitter.unit, timeline=timeline(run, number))


def _two_stages(run: Run, beside: Run, sides: Sequence[RunSide]) -> list[ShownSide]:
    """Return two trainings, or the last stage of each, as the two sides of a film; the steps count from 0.

    Words at the same position in the text are beside each other.
    """
    if run.texts != beside.texts:
        raise ValueError("two trainings beside each other need the same text")
    both = SideBySide(run.stages[-1], beside.stages[-1])
    words, titles = aligned_words(both, everything=False), side_titles(run.settings, beside.settings)
    return [ShownSide(*each) for each in zip(sides, words, titles, strict=True)]


def film_title(run: Run, beside: Run | None = None, corpus: str = "") -> str:
    """Return the usual title of a film: how many merges the training has, or the names of both sides.

    `corpus`: the name of the text, if it is known.

    >>> from bpe_core import Settings, train
    >>> run = train("to be to be", Settings(vocab_size=259, then_across_words_from=257))
    >>> film_title(run)
    'A training of 1 merge within words, then 2 across words'
    >>> film_title(run.until(0), corpus="play.txt")
    'A training of 1 merge on play.txt'
    """
    if beside is not None:
        return " beside ".join(side_titles(run.settings, beside.settings)) + (f", on {corpus}" if corpus else "")
    first, *later = run.stages
    merges, unit = f"A training of {counted(first.steps, 'merge')}", first.settings.splitter.unit
    stages = f" within {unit}s, then {later[0].steps:,} across {unit}s" if later else ""
    return f"{merges}{stages}{f' on {corpus}' if corpus else ''}"


def text_title(tokenizer: str, text: str = "") -> str:
    """Return the usual title of the page of a text. `text`: the text's name, if it is known.

    >>> text_title("GPT-2"), text_title("GPT-2", "play.txt")
    ('A text in the tokens of GPT-2', 'play.txt in the tokens of GPT-2')
    """
    return f"{text or 'A text'} in the tokens of {tokenizer}"


def _trained(run: Run, glyph: str) -> list[str]:
    """Return notes about a training: its settings and how many words its corpus has; the pairs chosen by hand."""
    unit = run.stages[-1].settings.splitter.unit
    words = f"{counted(int(run.pretoken_counts.sum()), unit)}, {len(run.pretokens):,} different"
    notes = [f"{settings_in_words(run.settings)} · Corpus: {words}", chosen_in_words(run.settings, glyph)]
    return [note for note in notes if note]


def _cut(run: Run) -> str:
    """Return a sentence that says which steps of a long training are in the film; "" if all are."""
    if max(stage.steps for stage in run.stages) <= MOST_STEPS:
        return ""
    of = f"of {run.steps:,} steps" if len(run.stages) == 1 else "steps of each stage"
    return f"The page has the first {MOST_STEPS:,} {of}."


def _titled(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text


def _page(
    view: View,
    code: str,
    content: str,
    title: str,
    about: Sequence[str],
    notes: Sequence[str],
    legend: str,
    vega: str = "",
    back: Back | None = None,
) -> str:
    """Return the HTML of a page.

    `code`: the view's script. `content`: the view's data as JSON. `about`: paragraphs above the view. `notes`: small
    paragraphs about the settings of the view's training or tokenizer. `legend`: what the marks in tokens mean. `vega`:
    the script of Vega. `back`: as for `film`.
    """
    scripts = [each for each in (in_element(vega), code) if each]
    words = [
        *(_PARAGRAPH.format("about", text) for text in about),
        *(_PARAGRAPH.format("note", text) for text in notes),
    ]
    page = _PAGE.format(
        policy=policy(scripts),
        back=_BACK.format(back.address, back.title) if back else "",
        title=title,
        legend=legend,
        mergescope=_MERGESCOPE,
        words=Markup("\n").join(words),
        style=Markup(STYLE),
        css=Markup(view.css),
        html=Markup(view.html),
        data=compressed(content),
        scripts=Markup("\n").join(_SCRIPT.format(Markup(each)) for each in scripts),
    )
    return without_surrogates(str(page), "\ufffd")


def policy(scripts: Sequence[str], also_scripts: str = "", more: str = "") -> str:
    """Return the policy of a page: no request, and no script but these, which the page itself has.

    `also_scripts`: what else a script may be or do. `more`: further rules, each after a semicolon.

    >>> policy(["alert()"])[:64]
    "default-src 'none'; script-src 'sha256-S8S/VNmXuUuoIR6OhqBqwIiIk"
    """
    digests = " ".join(f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in scripts)
    return _POLICY.format(f"{digests} {also_scripts}".strip(), more)


def in_element(script: str) -> str:
    """Return a script that is safe inside an element: no text in it ends the element or begins a comment.

    >>> in_element("'</script><!--'")
    "'<\\\\/script><\\\\!--'"
    """
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _refuse_paths(*given: object) -> None:
    """Raise `TypeError` if an argument is the name of a file: only `SavedPage.save` takes such a name.

    >>> _refuse_paths(0, "dog.html")
    Traceback (most recent call last):
        ...
    TypeError: page() makes a page and writes no file: page().save('dog.html') does
    """
    for each in given:
        if isinstance(each, os.PathLike) or (isinstance(each, str) and each.lower().endswith((".html", ".htm"))):
            raise TypeError(f"page() makes a page and writes no file: page().save({os.fspath(each)!r}) does")

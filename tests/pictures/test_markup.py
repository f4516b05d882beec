"""The markup of each picture has what the picture's web modules ask for, and nothing twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cache
from importlib import import_module

import pytest

from bpe_core import Settings, train
from bpe_core.pictures.film.film_script import FILM, SKELETON, STYLE
from bpe_core.pictures.shared.view import FOLDER, View
from bpe_core.pictures.tokens.tokens_data import TOKENS
from pages.parts.state.tokens_state import Tokens
from tests.pictures.markup import (
    Ask,
    Element,
    Made,
    Markup,
    alternatives,
    asks,
    code,
    is_there,
    makes,
    modules_of,
    read_data,
    without_comments,
)

# What a module asks for that is not in the picture: elements that Streamlit draws around it.
STREAMLIT = {"data-testid", "data-test-script-state", "data-test-connection-state"}
# They ask what has the focus or is pressed: that may be anything on the page.
AROUND = {"shared/keys.js", "shared/channel.js"}
NOT_READ = {("tokens/token_lists.js", "prefix + token")}  # the options of a token, which the module makes itself
# The attributes that name another element by its id.
LABELS = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")


@dataclass
class Picture:
    """A view as a browser has it. `sources`: the code of its modules, without comments, by their names."""

    html: str
    css: str
    sources: dict[str, str]


def views() -> Iterator[tuple[str, View]]:
    """Yield every view that a module of a picture defines, with its name there."""
    for path in sorted(FOLDER.glob("*/*.py")):
        if "= View(" in path.read_text(encoding="utf-8"):
            found = vars(import_module(f"bpe_core.pictures.{path.parent.name}.{path.stem}"))
            yield from ((name, value) for name, value in found.items() if isinstance(value, View))


VIEWS = dict(views())


def picture(name: str, **changed: str) -> Picture:
    """Return a view by its name. `changed`: another text for `html`, or for a module by its stem."""
    view = VIEWS[name]
    html, css = view.html, view.css
    if view == FILM:
        html, css = html.replace("></div>", f">{SKELETON}</div>"), STYLE
    sources = {path: code(path) for path in modules_of(view.entry) if path != "shared/elements.js"}
    for stem, text in changed.items():
        if stem == "html":
            html = text
        else:
            sources[next(path for path in sources if path.endswith(f"/{stem}.js"))] = without_comments(text)
    return Picture(html, css, sources)


def all_made(sources: dict[str, str]) -> Made:
    made = Made()
    for text in sources.values():
        for field in fields_of(made):
            getattr(made, field.name).update(getattr(makes(text), field.name))
    return made


def all_asks(sources: dict[str, str]) -> list[Ask]:
    return [ask for module, text in sources.items() for ask in asks(module, text)]


def missing(shown: Picture) -> Iterator[str]:
    """Yield what the modules of a picture ask for that is neither in its markup nor made by them."""
    elements, made = Markup(shown.html).elements, all_made(shown.sources)
    for ask in all_asks(shown.sources):
        if ask.unread or ask.module in AROUND:
            continue
        for selector in alternatives(ask.selector):
            known = ask.of == "document" and selector.strip("[]") in STREAMLIT
            if not known and not is_there(selector, ask.kind, elements, made):
                yield f"{ask.module}: {selector} {ask.kind}".strip()
    known = STREAMLIT | {name for each in elements for name in each.attributes} | {name for name, _ in made.attributes}
    for module, text in shown.sources.items():
        yield from (f"{module}: {name}" for name in sorted(read_data(text) - known))


def repeated(elements: list[Element], made: Made) -> Iterator[str]:
    """Yield the ids that two elements of one shadow root have, or may have once a module has made its own."""
    ids = Counter((each.scope, each.attributes["id"]) for each in elements if "id" in each.attributes)
    yield from (name for (_, name), count in ids.items() if count > 1)
    for pattern in made.ids:
        matched = re.compile(re.sub(r"\\\$\\\{.*?\\\}", ".+", re.escape(pattern)))
        yield from (name for _, name in ids if matched.fullmatch(name))
        if "${" not in pattern:  # the module may make two such elements, as for the two sides of a film
            yield pattern


def named(elements: list[Element]) -> set[tuple[str, str]]:
    """Return the ids, classes and data of a markup, each with its kind."""
    found = {("id", each.attributes["id"]) for each in elements if "id" in each.attributes}
    found |= {("class", name) for each in elements for name in each.classes}
    return found | {("data", name) for each in elements for name in each.attributes if name.startswith("data-")}


def asked(shown: Picture) -> tuple[str, set[str]]:
    """Return the selectors of the modules, styles and labels of a picture as one text, and the data that is read."""
    selectors = re.findall(r"([^{};]+)\{", shown.css) + [ask.selector for ask in all_asks(shown.sources)]
    for text in shown.sources.values():
        selectors += [f".{name}" for name in re.findall(r'classList\.contains\("([\w-]+)"\)', text)]
    attributes = [each.attributes for each in Markup(shown.html).elements]
    selectors += [f"#{name}" for each in attributes for key in LABELS for name in each.get(key, "").split()]
    return "\n".join(selectors), set().union(*map(read_data, shown.sources.values()))


def unasked(pictures: list[Picture]) -> set[tuple[str, str]]:
    """Return what is in the markup of pictures and no picture asks for. Two pictures may share a markup."""
    there: set[tuple[str, str]] = set()
    found: set[tuple[str, str]] = set()
    for shown in pictures:
        (selectors, data), names = asked(shown), named(Markup(shown.html).elements)
        there |= names
        for kind, name in names:
            sign = {"id": "#", "class": r"\.", "data": r"\["}[kind]
            if name in data or re.search(rf"{sign}{name}(?![\w-])", selectors):
                found.add((kind, name))
    return there - found


def wrong_switches(html: str) -> set[str]:
    """Return the switches of the token view that have no field, and the fields that have no switch."""
    attributes = [each.attributes for each in Markup(html).elements]
    return {each["data-option"] for each in attributes if "data-option" in each} ^ set(Tokens.OPTIONS)


def dangling(elements: list[Element]) -> Iterator[str]:
    """Yield the ids that a label or a description names, and that no element has."""
    ids = {(each.scope, each.attributes["id"]) for each in elements if "id" in each.attributes}
    for each in elements:
        for key in LABELS:
            named = each.attributes.get(key, "").split()
            yield from (f"{key} {name}" for name in named if (each.scope, name) not in ids)


@pytest.mark.parametrize("name", VIEWS)
def test_a_picture_has_what_its_modules_ask_for_once(name: str):
    shown = picture(name)
    elements = Markup(shown.html).elements
    assert Markup(shown.html).misplaced == []
    assert list(missing(shown)) == []
    assert list(repeated(elements, all_made(shown.sources))) == []
    assert list(dangling(elements)) == []


def test_the_markup_has_nothing_that_nobody_asks_for():
    assert unasked([picture(name) for name in VIEWS]) == set()


def test_what_cannot_be_read_is_named():
    sources = {path: code(path) for view in VIEWS.values() for path in modules_of(view.entry)}
    del sources["shared/elements.js"]  # it has the functions that ask
    asked = all_asks(sources)
    assert {(ask.module, ask.unread) for ask in asked if ask.unread} == NOT_READ
    assert len({ask.selector for ask in asked}) > 90, "few selectors: they are written in a way that is not read"


def test_every_web_module_belongs_to_a_picture():
    entries = [*(view.entry for view in VIEWS.values()), "saved/film_page.js", "saved/text_page.js"]
    entries += ["site/site.js", "site/worker.js"]
    shown = {path for entry in entries for path in modules_of(entry)}
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*.js")}
    assert there - shown == {"shared/types.js"}


def test_every_switch_of_the_token_view_has_a_field_and_every_field_a_switch():
    assert wrong_switches(TOKENS.html) == set()


def after(name: str, text: str, more: str) -> str:
    """Return the markup of a view with more after a text."""
    html = picture(name).html
    assert text in html
    return html.replace(text, text + more, 1)


PROMPT, BIOGRAPHY = picture("PROMPT_END").html, picture("TOKEN_BIOGRAPHY").html
FIND = "find(root, {}, HTMLElement);\n"


@pytest.mark.parametrize(
    ("name", "changed", "found"),
    [
        ("TOKENS", {"html": after("TOKENS", '<dl class="figures" id="figures">', '<p id="bytes"></p>')}, "bytes"),
        ("PROMPT_END", {"html": after("PROMPT_END", "<p", ' id="where"')}, "where"),
        ("FILM", {"side": 'box.id = "branch";'}, "branch"),
        ("FILM", {"html": SKELETON.replace('class="note"', 'id="line12"')}, "line12"),
    ],
)
def test_a_second_id_is_found(name: str, changed: dict[str, str], found: str):
    shown = picture(name, **changed)
    assert found in list(repeated(Markup(shown.html).elements, all_made(shown.sources)))


@pytest.mark.parametrize(
    ("name", "changed", "found"),
    [
        ("TOKENS", {"figures": FIND.format('"#euros"')}, "tokens/figures.js: #euros HTMLElement"),
        ("FILM", {"side": FIND.format('".columns .forecast"')}, "film/side.js: .columns .forecast HTMLElement"),
        ("TOKENS", {"panel": code("tokens/panel.js").replace('"cut-tree"', '"cut"')}, "tokens/panel.js: #cut HTML"),
        ("TOKEN_BIOGRAPHY", {"html": BIOGRAPHY.replace('id="facts"', "")}, "tokens/panel.js: #facts HTML"),
        ("PROMPT_END", {"html": PROMPT.replace("<input", "<p")}, "prompt/prompt.js: #end HTMLInputElement"),
        ("PROMPT_END", {"html": PROMPT.replace('id="png"', "")}, "prompt/prompt.js: #png HTMLElement"),
        ("PROMPT_END", {"html": PROMPT.replace('id="whole-count"', "")}, "prompt/prompt.js: #whole-count HTMLElement"),
        ("FILM", {"html": SKELETON.replace('"column corpus"', '"column"')}, "film/film.js: .corpus"),
        ("TOKENS", {"spelling": "if (chip.dataset.vowel) return;"}, "tokens/spelling.js: data-vowel"),
        ("TOKENS", {"token_lists": 'around(event, "[data-token]");'}, "tokens/token_lists.js: [data-token]"),
        ("EDITOR", {"editor": 'root.getElementById("text");'}, "editor/editor.js: #text"),
    ],
)
def test_what_is_asked_for_and_not_there_is_found(name: str, changed: dict[str, str], found: str):
    assert [each for each in missing(picture(name, **changed)) if each.startswith(found)]


def test_a_switch_without_a_field_a_label_of_nothing_and_what_nobody_asks_for_are_found():
    figures = '<dl class="figures" id="figures">'
    html = after("TOKENS", figures, '<label for="euros"><input data-option="euros" class="coin" /></label>')
    assert wrong_switches(html) == {"euros"}
    assert wrong_switches(html.replace('data-option="price"', "")) == {"euros", "price"}
    assert list(dangling(Markup(html).elements)) == ["for euros"]
    assert Markup(html + "</div><p>").misplaced == ["div", "p"]
    assert unasked([picture("TOKENS", html=html)]) == {("class", "coin")}


@cache
def saved() -> dict[str, str]:
    """Return saved pages of all kinds: films with one side and with two, and a text."""
    run = train("low low lower", Settings("whitespace", vocab_size=258))
    pages = {"film": run.page(), "two sides": run.page(beside=run), "text": run.tokenizer().encode("low").page()}
    return {name: page.html for name, page in pages.items()}


@pytest.mark.parametrize("name", ["film", "two sides", "text"])
def test_a_saved_page_has_what_its_source_asks_for(name: str):
    elements = Markup(saved()[name]).elements
    assert list(repeated(elements, Made())) == []
    assert list(dangling(elements)) == []
    asked = [ask.selector for ask in asks("saved/page.js", code("saved/page.js")) if ask.of == "document"]
    assert sorted(asked) == ["#data", "#view"]
    document = [each for each in elements if not each.scope]
    assert all(is_there(selector, "", document, Made()) for selector in asked)
    (root,) = [each for each in elements if each.tag == "template"]
    assert root.parent
    assert root.parent.attributes["id"] == "view"


def test_no_module_takes_a_text_as_markup_but_the_film_its_own_elements():
    writes = re.compile(
        r".*(?:\b(?:inner|outer)HTML\b|insertAdjacentHTML|setHTML|srcdoc|document\.write|DOMParser|createContextual).*"
    )
    paths = [*FOLDER.rglob("*.js"), *(FOLDER.parents[1] / "pages").rglob("*.js")]
    assert len(paths) > 50
    found = [line for path in paths for line in writes.findall(without_comments(path.read_text(encoding="utf-8")))]
    assert [line.strip() for line in found] == ["this.box.innerHTML = SKELETON;"]

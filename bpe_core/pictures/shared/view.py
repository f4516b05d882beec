"""A live view: its elements, its style sheet and its script. Each picture's folder defines the picture's view.

A view's script exports `default(component)`, which is called with every new value of the view's data:

    component.data              the view's data, as `film_answer` and `text_data` describe it
    component.parentElement     the shadow root that has the view's elements and style sheet
    component.send(request)     sends the reader's choice; see `request`

What a view lacks, it asks for itself: `shared/source.js`. A component comes from Streamlit
(`pages/parts/ui/loader.js`), or from an HTML page without a server (`saved/page.js`), which calls the script and
answers its requests. `shared/channel.js` draws how requests and answers belong together.

The page around a view defines colours and fonts: `style.VARIABLES`, and Streamlit's `--st-font`,
`--st-background-color`, `--st-text-color`, `--st-primary-color` and `--st-base-radius`.

A view's web modules become one script, since a Streamlit component and a saved page cannot import files. Each module
becomes a function that is called at once and returns the module's exports. A module comes after the modules that it
imports:

    // film/film.js                                 const step_bar_js = (() => {
    import { StepBar } from "../shared/step_bar.js";  class StepBar { … }
    export default function (component) { … }         return { StepBar };
                                                    })();
    // shared/step_bar.js                           const film_js = (() => {
    export class StepBar { … }                        const { StepBar } = step_bar_js;
                                                      return { default: function (component) { … } };
                                                    })();
                                                    export default film_js.default;

As each module is a function, two modules may use the same private names. A module may use only these forms:
`import { a, b } from "./x.js";` in one line, and `export` before `function`, `async function`, `class`, `const` or
`default`. In an import, `default as a` gives a name to the default export. A `let` cannot be exported, since an import
here is a copy of the first value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bpe_core.pictures.shared.drawing import MOST_BYTES, MOST_ROWS, MOST_TOKENS
from bpe_core.pictures.shared.json_form import Json
from bpe_core.pictures.shared.layout import SIZES

FOLDER = Path(__file__).parents[1]
_MOST = {"most_tokens": MOST_TOKENS, "most_rows": MOST_ROWS, "most_bytes": MOST_BYTES}
PICTURE: Json = {**SIZES._asdict(), **_MOST}  # sizes and limits, for pictures of tokens that are made in the browser


class View(NamedTuple):
    """A live view. `entry`: the web module to begin with. `html` and `css`: the content of the view's shadow root."""

    entry: str
    html: str
    css: str = ""

    def script(self) -> str:
        """Return one script with the entry and all modules that the entry imports."""
        return script(self.entry, {"PICTURE": PICTURE})


_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "(\.\.?/[\w./]+)\.js";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+))", re.M)
_DEFAULT = re.compile(r"^export default (?=function|class)", re.M)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


class ModuleError(ValueError):
    """An error in a view's web modules: a line that `script` cannot read, or a circle of imports."""


def source(*names: str) -> str:
    """Return the contents of files in the folder `pictures/`, joined into one text.

    >>> source("shared/clock.js").count("class Clock")
    1
    """
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def script(entry: str, constants: Mapping[str, object] | None = None, web: Path = FOLDER) -> str:
    """Return one script with the module `entry` and all modules that `entry` imports.

    The script exports the same names as `entry`.
    `constants`: by name, the values that replace the empty values in `from_python.js`. `web`: the folder of the
    modules. Raises `ModuleError` for a module that cannot be read.

    >>> script("shared/clock.js").splitlines()[-1]
    'export const { Clock } = clock_js;'
    """
    order = _in_order((web / entry).resolve())
    given = {"from_python": _constants(constants)} if constants else {}
    parts = [_scope(path.stem, given.get(path.stem) or _read(path)) for path in order]
    names = _exported(_read(order[-1]))
    last = f"{order[-1].stem}_js"
    default = [f"export default {last}.default;"] if "default" in names else []
    named = ", ".join(name for name in names if name != "default")
    return "\n".join([*parts, *default, *([f"export const {{ {named} }} = {last};"] if named else [])])


@lru_cache(maxsize=64)
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _constants(values: Mapping[str, object]) -> str:
    """Return a module that exports values by name. A `<` is escaped, since a script may be inside an HTML page.

    >>> print(_constants({"STEPS": 16, "HTML": "<p>"}))
    export const STEPS = 16;
    export const HTML = "\\u003cp>";
    """
    written = ((name, json.dumps(value).replace("<", "\\u003c")) for name, value in values.items())
    return "\n".join(f"export const {name} = {value};" for name, value in written)


def _in_order(entry: Path) -> list[Path]:
    """Return the paths of a module and of all modules that it imports. A module comes after its own imports."""
    order: list[Path] = []
    entered: list[Path] = []

    def enter(path: Path) -> None:
        if path in entered:
            circle = " → ".join(each.stem for each in [*entered, path])
            raise ModuleError(f"web modules import each other in a circle: {circle}")
        entered.append(path)
        for _, name in _IMPORT.findall(_read(path)):
            imported = (path.parent / f"{name}.js").resolve()
            if imported not in order:
                enter(imported)
        entered.pop()
        order.append(path)

    enter(entry)
    return order


def _exported(code: str) -> list[str]:
    """Return the names that a module exports.

    >>> _exported("export const one = 1;\\nexport default function () {}\\n")
    ['one', 'default']
    """
    return [*_EXPORT.findall(code), *(["default"] if _DEFAULT.search(code) else [])]


def _constant(found: re.Match[str]) -> str:
    """Return an import line as an assignment, such as `const { Clock } = clock_js;`."""
    names, path = found.groups()
    return f"const {{ {names.replace(' as ', ': ')} }} = {Path(path).name}_js;\n"


def _scope(name: str, code: str) -> str:
    """Return a module as a function that is called at once; the constant `{name}_js` has the module's exports."""
    names = _exported(code)
    body = _IMPORT.sub(_constant, code)
    body = _DEFAULT.sub("const $default = ", _EXPORT.sub("", body))
    if wrong := _OTHER.search(body):
        raise ModuleError(f"{name}.js has a line that no single script can be made of: {wrong[0]}")
    returned = ", ".join("default: $default" if each == "default" else each for each in names)
    return f"const {name}_js = (() => {{\n{body}\nreturn {{ {returned} }};\n}})();"

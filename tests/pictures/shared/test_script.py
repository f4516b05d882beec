"""One script of a view's modules does what the modules do."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpe_core.pictures.shared.view import FOLDER, ModuleError, script
from tests.pictures.deno import needs_deno, printed

MODULES = {
    "entry": """import { a } from "./left.js";
import { b, default as named } from "./right.js";
import { count } from "./shared.js";

const own = 3;
export const all = [a(), b, named(), own, count].join(" ");
export default function () {
  return all;
}
""",
    "left": """import { count } from "./shared.js";

const own = "left";
export function a() {
  return own + count;
}
""",
    "right": """import { count } from "./shared.js";

const own = "right";
export const b = own + count;
export default function () {
  return "default";
}
""",
    "shared": """export const count = 1;
""",
}
PRINTED = "\nconsole.log(made.all, made.default());\n"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    for name, code in MODULES.items():
        (tmp_path / f"{name}.js").write_text(code)
    return tmp_path


@needs_deno
def test_modules_with_equal_private_names_become_one_script(web: Path):
    (web / "made.mjs").write_text(script("entry.js", web=web))
    for module in ("entry.js", "made.mjs"):
        (web / "main.mjs").write_text(f'import * as made from "./{module}";{PRINTED}')
        assert printed("run", web / "main.mjs") == "left1 right1 default 3 1 left1 right1 default 3 1\n"


def test_constants_from_python_take_the_place_of_their_module(web: Path):
    (web / "from_python.js").write_text("export const count = 0;\n")
    (web / "left.js").write_text(MODULES["left"].replace("./shared.js", "./from_python.js"))
    made = script("entry.js", {"count": "</script>"}, web)
    assert 'const count = "\\u003c/script>"' in made.replace("export ", "")
    assert "count = 0" not in made


@pytest.mark.parametrize(
    "line",
    [
        "export let open = 1;",
        'import x from "./shared.js";',
        "export { count };",
        'import * as all from "./shared.js";',
    ],
)
def test_a_form_that_would_be_read_wrongly_is_refused(web: Path, line: str):
    (web / "right.js").write_text(f"{MODULES['right']}{line}\n")
    with pytest.raises(ModuleError, match=r"right\.js has a line"):
        script("entry.js", web=web)


def test_a_circle_is_refused(web: Path):
    (web / "shared.js").write_text('import { a } from "./left.js";\nexport const count = a;\n')
    with pytest.raises(ModuleError, match="left → shared → left"):
        script("entry.js", web=web)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.js")), ids=lambda path: path.name)
def test_every_module_can_be_part_of_a_script(path: Path):
    assert f"const {path.stem}_js = (() => {{" in script(f"{path.parent.name}/{path.name}")

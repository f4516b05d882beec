"""The site: the page's policy and hashes, the examples, and the engine in its zip, which answers as this machine's."""

import json
import re
import sys
import zipfile
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from bpe_core.pictures import resources
from bpe_core.pictures.resources import OF_FILM
from bpe_core.pictures.shared.json_form import compact
from bpe_core.pictures.site import in_tab, pyodide, site
from bpe_core.published import PUBLISHED
from bpe_core.settings import CUSTOM
from bpe_core.text import class_rules
from tests.children import ran
from tests.texts import NASTY

STEPS = [0, 1]
TRAINING = {"pretokenizer": "gpt2", "alphabet": "bytes", "vocab_size": 300}
ASKED = [
    *(({"tokenizer": "gpt2"}, name, {"text": text}) for text in NASTY if text for name in ("view", "tokens", "token")),
    ({"tokenizer": "bert"}, "tokens", {"text": "unaffable 🦜 नमस्ते"}),
    *((TRAINING, name, {"text": "low lower नमस्ते 🦜 lowest"}) for name in ("view", *OF_FILM)),
    ({"pretokenizer": "whitespace", "vocab_size": 20}, "view", {"text": "low"}),
    ({"pretokenizer": CUSTOM, "pattern": "(a+)+$"}, "view", {"text": "aaaa!"}),
    (TRAINING, "film", {"text": "a" * 50_001}),
    (TRAINING, "film", {"text": 5}),
    (TRAINING | {"pretokenizer": "none"}, "film", {"text": "a" * 20_001}),
    (TRAINING | {"vocab_size": 10_001}, "film", {"text": "a"}),
    ({"tokenizer": "none such"}, "tokens", {"text": "a"}),
]
USUAL = {"specials": True, "at": 0, "step": 1, "find": "", "sort": "", "chunks": [[0, 0]], "chosen": [0, 0]}
ANSWER = """
import json, sys
sys.path[:0] = sys.argv[1:3]
sys.dont_write_bytecode = True
from bpe_core.pictures.site import in_tab
assert "regex_stand_in" not in sys.modules and sys.modules["regex"].__file__.startswith(sys.argv[1])
assert "bpe_core.files" not in sys.modules  # a third of the time of the imports
print(json.dumps([in_tab.ask(*each) for each in json.load(open(sys.argv[3]))]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert site.write_site(folder) == {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    return folder


def data_of(page: str) -> dict:
    return json.loads(zlib.decompress(b64decode(re.search(r'id="data">([^<]*)<', page)[1])))


def test_the_policy_allows_the_page_its_script_its_files_and_python_and_nothing_else(folder):
    page = (folder / "index.html").read_text()
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.replace("&#39;", "'").split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest}' 'wasm-unsafe-eval'",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
        f"connect-src 'self' {pyodide.DISTRIBUTION}",
        "worker-src blob:",
    ]
    assert "cdn.jsdelivr.net" in re.sub("<script.*", "", page, flags=re.S)  # it says so
    assert not re.findall(r' (?:src|href)="(?!#|data:)[^"]+"', page), "nothing is fetched but by the script"
    assert '<link rel="icon" href="data:,">' in page, "a browser would ask for /favicon.ico, which the policy forbids"


def test_each_file_has_its_hash_in_the_page(folder):
    sources = data_of((folder / "index.html").read_text())["sources"]
    assert sources["tables"].keys() == PUBLISHED.keys()
    for file in [sources["engine"], *sources["tables"].values()]:
        content = (folder / file["address"]).read_bytes()
        assert (file["sha256"], file["bytes"]) == (sha256(content).hexdigest(), len(content))
    found = [*sources["scripts"], *sources["files"]]
    assert [file["address"] for file in found] == [
        pyodide.DISTRIBUTION + file.name for file in (*pyodide.SCRIPTS, *pyodide.FILES)
    ]
    assert all(re.fullmatch("[0-9a-f]{64}", file["sha256"]) for file in found)


def test_the_examples_are_what_the_engine_answers_and_the_film_has_all_its_frames(folder):
    data = data_of((folder / "index.html").read_text())
    chosen = in_tab.vocabulary(site.FIRST["tokenizer"])
    tokens = json.loads(compact(resources.tokens(chosen, {"text": site.EXAMPLE, "specials": True})))
    assert {name: data["tokens"][name] for name in tokens} == tokens
    settings = in_tab.settings_of({"pretokenizer": "whitespace", "alphabet": "characters", "vocab_size": 1000})
    film, steps = in_tab.film_of(settings), data["film"]["sides"][0]["steps"]
    wanted = [[0, number] for number in range(steps // 4 + 1)]
    found = resources.frames(film, {"text": site.CORPUS, "chunks": wanted})["chunks"]
    assert json.loads(compact(found)) == [[0, number, chunk] for number, chunk in enumerate(data["chunks"][0])]


def test_the_engine_in_the_zip_answers_as_this_one_without_regex_and_without_files_of_tokenizers(folder, tmp_path):
    tab, libraries = tmp_path / "tab", tmp_path / "libraries"
    with zipfile.ZipFile(folder / "engine.zip") as files:
        files.extractall(tab)
    for table in (folder / "vocabularies").iterdir():
        (tab / "bpe_core/published" / table.name).write_bytes(table.read_bytes())
    libraries.mkdir()
    for name in ("numpy", "numpy.libs"):
        if (there := Path(np.__file__).parents[1] / name).exists():
            (libraries / name).symlink_to(there)
    table = np.fromfile(tab / "bpe_core/text/class_rules.table", np.uint8)
    assert np.array_equal(table, class_rules.class_table(sys.maxunicode + 1))
    asked = [[json.dumps(thing), name, json.dumps(USUAL | given)] for thing, name, given in ASKED]
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    command = [sys.executable, "-S", "-I", "-c", ANSWER, tab, libraries, tmp_path / "asked.json"]
    done = ran([*command], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found == [in_tab.ask(*each) for each in json.loads((tmp_path / "asked.json").read_text())]
    assert [json.loads(each)[0] for each in found] == [200] * (len(ASKED) - 7) + [422, 422, 422, 400, 422, 422, 422]


def test_a_folder_that_has_not_the_tested_pyodide_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(pyodide.PyodideError, match=rf"has no {re.escape(pyodide.SCRIPTS[0].name)}"):
        site.write_site(tmp_path / "site", tmp_path)
    (tmp_path / pyodide.SCRIPTS[0].name).write_text("another")
    with pytest.raises(pyodide.PyodideError, match=r"is not the file of Pyodide 0\.27\.7 that is tested"):
        site.write_site(tmp_path / "site", tmp_path)
    assert not (tmp_path / "site").exists()

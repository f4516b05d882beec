"""Files beside a vocabulary with transformers itself: of each class, and beside a `tokenizer.json`.

`make test-published` runs these tests, and fetches transformers.

`python -m tests.published.real_classes` writes `tests/files/class_ids.json` anew.
"""

import json
import tempfile
from pathlib import Path

from tests.children import ran
from tests.files import beside_files
from tests.files.class_files import NAMES, TEXTS, class_files
from tests.published.real_chats import python_of_transformers

RECORDED = Path(__file__).parents[1] / "files/class_ids.json"
IDS = """
import json, sys
from pathlib import Path
import transformers

MORE = {"MarkupLMTokenizer": {"tags_dict": {"html": 0}},
        "LukeTokenizer": {"entity_vocab": {"[PAD]": 0, "[MASK]": 1, "[UNK]": 2, "[MASK2]": 3}}}
found = {}
for folder in sorted(Path(sys.argv[1]).iterdir()):
    made, name = getattr(transformers, folder.name), folder.name
    if name == "Qwen3_5Tokenizer":  # takes no files, only what is in them
        merges = [tuple(line.split()) for line in (folder / "merges.txt").read_text().splitlines()[1:]]
        rows = json.loads((folder / "tokenizer_config.json").read_text())["added_tokens_decoder"]
        tokens = {int(i): transformers.AddedToken(**row) for i, row in rows.items()}
        vocabulary = json.loads((folder / "vocab.json").read_text())
        backend = made(vocab=vocabulary, merges=merges, added_tokens_decoder=tokens)._tokenizer
    else:
        backend = made.from_pretrained(folder, **MORE.get(name, {}))._tokenizer
    backend.no_padding(), backend.no_truncation()
    ids = [backend.encode(text, add_special_tokens=False).ids for text in json.loads(sys.argv[2])]
    found[name] = [*ids, backend.encode("ab").ids]
print(json.dumps(found))
"""
BESIDE = """
import json, sys
from pathlib import Path
import transformers

found = []
for number in range(len([*Path(sys.argv[1]).iterdir()])):
    backend = transformers.PreTrainedTokenizerFast.from_pretrained(Path(sys.argv[1]) / str(number))._tokenizer
    ids = [backend.encode(text, add_special_tokens=False).ids for text in json.loads(sys.argv[2])]
    found.append([*ids, backend.encode("hug").ids])
print(json.dumps(found))
"""
TAKEN = """
import json, sys
from pathlib import Path
import transformers

found = []
for number in range(len([*Path(sys.argv[1]).iterdir()])):
    theirs = transformers.AutoTokenizer.from_pretrained(Path(sys.argv[1]) / str(number))
    found.append(theirs.encode(sys.argv[2], add_special_tokens=False))
print(json.dumps(found))
"""
OF_CLASS = """
import json, sys
from pathlib import Path
import tokenizers, transformers

found = []
for number in range(len([*Path(sys.argv[1]).iterdir()])):
    folder = Path(sys.argv[1]) / str(number)
    theirs = transformers.AutoTokenizer.from_pretrained(folder)._tokenizer
    alone = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    one, other = (each.encode(sys.argv[2], add_special_tokens=False).ids for each in (theirs, alone))
    found.append(one != other)
print(json.dumps(found))
"""
ROLES = """
import json, sys
from pathlib import Path
import transformers

found = []
for number in range(len([*Path(sys.argv[1]).iterdir()])):
    theirs = transformers.AutoTokenizer.from_pretrained(Path(sys.argv[1]) / str(number))
    turns = [{"role": "user", "content": "Hi"}]
    found.append(theirs.apply_chat_template(turns, chat_template=sys.argv[2], tokenize=False))
print(json.dumps(found))
"""


def ids_of_transformers():
    """The ids of all texts, and those of `ab` with what stands around it, for each class."""
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            (Path(folder) / name).mkdir()
            for file, content in class_files(name).items():
                (Path(folder) / name / file).write_bytes(content)
        command = [python_of_transformers(), "-c", IDS, folder, json.dumps(TEXTS)]
        return json.loads(ran(command, capture_output=True, text=True, check=True).stdout)


def recorded():
    return {name: ids for names, ids in json.loads(RECORDED.read_text()).items() for name in names.split()}


def test_the_recorded_ids_are_those_of_transformers():
    assert ids_of_transformers() == recorded()


def of_transformers(program, folders, given):
    """What a program with transformers prints as JSON of folders, each the files in it by name."""
    with tempfile.TemporaryDirectory() as folder:
        for number, files in enumerate(folders):
            (Path(folder) / str(number)).mkdir()
            for file, content in files.items():
                (Path(folder) / str(number) / file).write_bytes(content)
        command = [python_of_transformers(), "-c", program, folder, given]
        return json.loads(ran(command, capture_output=True, text=True, check=True).stdout)


def test_what_is_beside_a_tokenizer_json_is_read_as_recorded():
    forms = beside_files.FORMS
    found = of_transformers(BESIDE, map(beside_files.form_files, forms), json.dumps(beside_files.TEXTS))
    assert dict(zip(forms, found, strict=True)) == beside_files.RECORDED


def test_an_id_that_another_token_has_is_read_as_recorded():
    forms = beside_files.TAKEN
    found = of_transformers(TAKEN, map(beside_files.taken_files, forms), beside_files.TAKEN_TEXT)
    assert dict(zip(forms, found, strict=True)) == {form: ids for form, (_, ids) in forms.items()}


def test_what_a_class_changes_is_as_recorded():
    forms = beside_files.CLASS_FORMS
    folders = (beside_files.class_form_files(*form) for *form, _ in forms)
    found = of_transformers(OF_CLASS, folders, beside_files.CLASS_TEXT)
    assert [(*form, differs) for (*form, _), differs in zip(forms, found, strict=True)] == forms


def test_the_roles_of_special_tokens_are_read_as_recorded():
    forms = beside_files.ROLES
    found = of_transformers(ROLES, map(beside_files.role_files, forms), beside_files.ROLES_TEMPLATE)
    assert dict(zip(forms, found, strict=True)) == {form: text for form, (_, text) in forms.items()}


if __name__ == "__main__":
    groups = {}
    for name, ids in sorted(ids_of_transformers().items()):
        groups.setdefault(json.dumps(ids), []).append(name)
    rows = (f'"{" ".join(names)}": {ids}' for ids, names in groups.items())
    RECORDED.write_text("{\n" + ",\n".join(rows) + "\n}\n")

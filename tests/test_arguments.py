"""A wrong call of a public name is refused with a sentence, and not with an error of Python's from inside."""

import inspect
import pydoc
import re
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import bpe_core
from bpe_core import (
    PRETOKENIZERS,
    Run,
    Settings,
    SettingsError,
    Tokenizer,
    chat,
    dumps,
    load,
    normalize,
    same,
    train,
    train_counts,
    trim,
)
from bpe_core.chat.templates import ChatError
from bpe_core.counting import count_files
from bpe_core.counting.file_counts import counted
from bpe_core.counting.found_files import LeftOut, in_memory, in_paths
from bpe_core.counting.other_notations import notations
from bpe_core.counting.own_tokens import savings
from bpe_core.record.enough_text import amounts
from bpe_core.tokenizer.written_ids import ids_alone, ids_listed, read_ids

RUN = train("low low low lower newest newest", Settings(vocab_size=262))
TOK = RUN.tokenizer()
TURNS = [("user", "Hi")]
TOOLS = [{"name": "clock"}]
TALK = [("user", "Hi"), ("assistant", "Ho")]
COUNTS = counted(in_memory({"a.txt": b"low", "b.txt": b"low lower"}), ["gpt2", TOK])
SAVED = savings("low lower " * 400, "gpt2", 3)
A_STEP = "a step is a whole number, and this is "
AN_ID = "an id is a whole number, and this is "
A_TEMPLATE = "a chat template is a str, a Path or a ChatTemplate, and this is "
A_NAME = "the name of a file is a str or a Path, and this is "
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: TOK.ways(5), TypeError, "a text is a str or a Path, and this is int"),
    (lambda: TOK.id_to_token("x"), TypeError, f"{AN_ID}'x'; token_to_id gives the id of a token"),
    (lambda: TOK.id_to_token(True), TypeError, f"{AN_ID}True"),
    (lambda: TOK.token_bytes(None), TypeError, f"{AN_ID}None"),
    (lambda: TOK.origin("a"), TypeError, f"{AN_ID}'a'"),
    (lambda: TOK.inside(1.5), TypeError, f"{AN_ID}1.5"),
    (lambda: TOK.encode(b"low"), TypeError, "a text to encode is a str or a Path, and this is bytes"),
    (lambda: TOK.save(5), TypeError, f"{A_NAME}int"),
    (lambda: TOK.save(" "), ValueError, "a name is needed"),
    (lambda: TOK.save("x.json", 5), ValueError, "format 5 is unknown"),
    (lambda: TOK.save("tekken.json"), ValueError, "tekken.json files are read and not written"),
    (lambda: TOK.save("mine.gguf"), ValueError, "GGUF files are read and not written"),
    (lambda: dumps(TOK, 5), ValueError, "format 5 is unknown"),
    (lambda: RUN.words("1"), TypeError, f"{A_STEP}'1'"),
    (lambda: RUN.words(1.5), TypeError, f"{A_STEP}1.5"),
    (lambda: RUN.words(True), TypeError, f"{A_STEP}True"),
    (lambda: RUN.token_uses("a"), TypeError, f"{A_STEP}'a'"),
    (lambda: RUN.tokenizer("a"), TypeError, f"{A_STEP}'a'"),
    (lambda: RUN.svg(None), TypeError, f"{A_STEP}None"),
    (lambda: RUN.pair_counts(1, "a"), TypeError, "top is a whole number, and this is 'a'"),
    (lambda: RUN.page(beside=5), TypeError, "beside is another run, and this is int"),
    (lambda: RUN.page(title=5), TypeError, "a title is a str, and this is int"),
    (lambda: RUN.page(progress=5), TypeError, "progress is a function, and this is 5"),
    (lambda: RUN.page(1.5), TypeError, f"{A_STEP}1.5"),
    (lambda: RUN.save(None), TypeError, f"{A_NAME}NoneType"),
    (lambda: RUN.save("."), IsADirectoryError, "this is a folder"),
    (lambda: RUN.save("no-folder/a.json"), FileNotFoundError, "no-folder: there is no such folder to write to"),
    (lambda: Run.load("nope.json"), FileNotFoundError, "nope.json: there is no such file"),
    (lambda: Run.load(5), TypeError, f"{A_NAME}int"),
    (lambda: load(" "), ValueError, "a name is needed"),
    (lambda: load("nope.json"), FileNotFoundError, "nope.json: there is no such file"),
    (lambda: load(Path("nope")), FileNotFoundError, "nope: there is no such file"),
    (lambda: train(Path("nope.txt")), FileNotFoundError, "nope.txt: there is no such file"),
    (lambda: train(Path(".")), IsADirectoryError, "this is a folder, and a file is needed"),
    (lambda: train("low", progress=5), TypeError, "progress is a function, and this is 5"),
    (lambda: train_counts({"low": 1}, 300), TypeError, "settings are a Settings"),
    (lambda: trim("gpt2", 5), TypeError, "a text is a str or a Path, and this is int"),
    (lambda: trim("gpt2", b"low"), TypeError, "a text is a str or a Path, and this is bytes"),
    (lambda: TOK.apply_chat_template(None), ChatError, "Turns are a list"),
    (lambda: TOK.apply_chat_template("hi"), ChatError, "Turns are a list"),
    (lambda: TOK.apply_chat_template(TURNS, template=5), TypeError, f"{A_TEMPLATE}int"),
    (
        lambda: TOK.apply_chat_template(TURNS, template=Path("nope")),
        FileNotFoundError,
        "nope: there is no such file",
    ),
    (lambda: normalize(5, ("nfc",)), TypeError, "a text to normalize is a str, and this is int"),
    (lambda: normalize("a", "nfc"), TypeError, "normalizers are keys in a tuple"),
    (lambda: normalize("a", 5), TypeError, "normalizers are keys in a tuple"),
    (lambda: PRETOKENIZERS["gpt2"].split(5), TypeError, "a text to split is a str, and this is int"),
    (lambda: PRETOKENIZERS["gpt2"].strings(b"a"), TypeError, "a text to split is a str, and this is bytes"),
    (lambda: Tokenizer((b"a",), (), "gpt2"), TypeError, "a pretokenizer is a row of PRETOKENIZERS"),
    (lambda: TOK.encode("a").page().save(5), TypeError, f"{A_NAME}int"),
    (lambda: TOK.encode("a").page().save("."), IsADirectoryError, "this is a folder"),
    (lambda: TOK.encode("a").page().save("no/a.html"), FileNotFoundError, "no: there is no such folder to write to"),
    (lambda: TOK.encode_word(b"a"), TypeError, "a pretoken is a str, and this is bytes"),
    (lambda: TOK.step_of([], 5), TypeError, f"{AN_ID}[]; token_to_id gives the id of a token"),
    (lambda: [*TOK.decode_stream(1.5)], TypeError, "ids are a list, such as [261], and this is float"),
    (lambda: TOK.decode(None), TypeError, "ids are a list, such as [261], and this is NoneType"),
    (lambda: RUN.words(2, 5), TypeError, "rows are several in a list, and this is int"),
    (lambda: RUN.blocked_pairs(2, "a"), TypeError, "top is a whole number, and this is 'a'"),
    (lambda: RUN.blocked_pairs(2, -1), ValueError, "top is how many pairs are wanted, or None for all, and is -1"),
    (lambda: RUN.pair_sources(2, "l", "o"), TypeError, "a pair is two tokens as bytes"),
    (lambda: RUN.birth([]), ValueError, "[] is not a token of this training"),
    (lambda: RUN.residues("x"), TypeError, "below is a number, and this is 'x'"),
    (lambda: train("low", dask=5), TypeError, "the address of a cluster is a str, and this is int"),
    (lambda: same("gpt2", TOK, seconds="5"), TypeError, "seconds is a number, and this is '5'"),
    (lambda: same("gpt2", TOK, progress=5), TypeError, "progress is a function, and this is 5"),
    (lambda: count_files(5, "gpt2"), TypeError, "paths are several in a list, and this is int"),
    (lambda: count_files([5], "gpt2"), TypeError, f"{A_NAME}int"),
    (lambda: count_files([""], "gpt2"), ValueError, "the name of a file is empty"),
    (lambda: count_files("a.txt", 5), TypeError, "tokenizers are several in a list, and this is int"),
    (lambda: chat.render(5, TURNS), TypeError, f"{A_TEMPLATE}int"),
    (lambda: chat.render("qwen3", TURNS, tools=5), TypeError, "tools are several in a list, and this is int"),
    (lambda: chat.render("qwen3", TURNS, documents="a"), TypeError, "documents are several in a list, and this is str"),
    (lambda: chat.render("qwen3", TURNS, variables=["a"]), ChatError, "Variables are a dictionary"),
    (lambda: chat.variables_of(b"a"), TypeError, f"{A_TEMPLATE}bytes"),
    (lambda: chat.read_turns([]), TypeError, "JSON is a str, and this is list"),
    (lambda: chat.requests(5, TURNS), TypeError, "a tokenizer or its name is needed, such as 'gpt2', and this is int"),
    (lambda: notations(5, TOK), TypeError, f"{A_NAME}int"),
    (lambda: notations("nope.json", TOK), FileNotFoundError, "nope.json: there is no such file"),
    (lambda: notations(Path("."), TOK), IsADirectoryError, "this is a folder, and a file is needed"),
    (lambda: notations(LeftOut("a.png", "picture"), TOK), ValueError, "a.png is left out: picture"),
    (lambda: savings(5, TOK), TypeError, "a text is a str or a Path, and this is int"),
    (lambda: savings(["low"], 5), TypeError, "a tokenizer or its name is needed, such as 'gpt2', and this is int"),
    *(
        (call, TypeError, f"{given} stands where the tokenizer belongs: the order is {order}")
        for call, given, order in [
            (lambda: savings("gpt2", Path("a.txt")), "a.txt", "savings(texts, tokenizer)"),
            (
                lambda: savings(TOK, "low " * 99),
                "'low low low low low low low low low low …'",
                "savings(texts, tokenizer)",
            ),
            (lambda: notations(RUN, "a.json"), "'a.json'", "notations(file, tokenizer)"),
            (lambda: bpe_core.cuts("low\n", "gpt-4o"), "'low\\n'", "cuts(tokenizer, text)"),
            (lambda: trim(["low"], TOK), "['low']", "trim(tokenizer, texts)"),
        ]
    ),
    (
        lambda: RUN.encode("low"),
        AttributeError,
        "a run has no 'encode', and its tokenizer does: run.tokenizer().encode",
    ),
    (lambda: RUN.ranked, AttributeError, "a run has no 'ranked'"),
    (lambda: load("gpt-4o").decode([199998]), ValueError, "of 200000 tokens, whose ids have gaps up to 200018"),
    (lambda: load("low " * 99), FileNotFoundError, "no tokenizer and no file has the name 'low low"),
    *(
        (call, TypeError, f"a list stands where the template belongs: the order is {order}")
        for call, order in [
            (lambda: chat.tool_costs("qwen", TURNS, TOOLS), "tool_costs(tokenizer, template, turns, tools)"),
            (lambda: chat.tool_costs("qwen", TURNS, None, TOOLS), "tool_costs(tokenizer, template, turns, tools)"),
            (lambda: chat.requests("qwen", "chatml", TURNS), "requests(tokenizer, turns, template)"),
            (lambda: chat.render(TURNS, "chatml"), "render(template, turns)"),
            (lambda: chat.render_batch([TURNS], "chatml"), "render_batch(template, chats)"),
        ]
    ),
    (lambda: chat.tool_costs("qwen", None, TURNS), ChatError, "There are no tools: tools are a list, such as"),
    (lambda: chat.render("qwen3", TURNS, tools=TOOLS[0]), ChatError, "Tools are a list, such as"),
    (
        lambda: chat.render("qwen3", TURNS, tools={"tools": TOOLS}),
        ChatError,
        'the one under its "tools", and this is dict',
    ),
    (lambda: savings(["low"], TOK, -1), ValueError, "most is how many new tokens there may be, 0 or more, and is -1"),
    (lambda: savings(["low"], TOK, "5"), TypeError, "most is a whole number, and this is '5'"),
    (lambda: SAVED.share(-1), ValueError, "how many new tokens is 0 or more, and is -1"),
    (lambda: [*in_paths(5)], TypeError, "paths are several in a list, and this is int"),
    (lambda: amounts(Path("a.txt"), Settings()), FileNotFoundError, "a.txt: there is no such file"),
    (lambda: amounts("a", 300), TypeError, "settings are a Settings"),
    (lambda: COUNTS.quantiles(0.5), TypeError, "shares are several in a list, and this is float"),
    (
        lambda: COUNTS.quantiles([50]),
        ValueError,
        "a number from 0 to 1, such as 0.5, and this is 50",
    ),
    (lambda: COUNTS.quantiles([-0.1]), ValueError, "a share of the rows is a number from 0 to 1"),
    (lambda: COUNTS.quantiles([float("nan")]), ValueError, "a share of the rows is a number from 0 to 1"),
    (lambda: COUNTS.quantiles(["0.5"]), TypeError, "a share is a number, and this is '0.5'"),
    *(
        (lambda method=method: method(3), ValueError, "there is no tokenizer 3: the indexes are 0 to 1")
        for method in (COUNTS.total, COUNTS.whole, COUNTS.lengths)
    ),
    (lambda: COUNTS.total("gpt2"), TypeError, "the index of a tokenizer is a whole number, and this is 'gpt2'"),
    (lambda: COUNTS.longer_than(5, 2), ValueError, "there is no tokenizer 2"),
    (lambda: COUNTS.longer_than("5"), TypeError, "a limit is a whole number, and this is '5'"),
    (lambda: COUNTS.quantiles([1], 2), ValueError, "there is no tokenizer 2"),
    (lambda: COUNTS.place(7), ValueError, "there is no row 7: the rows are 0 to 1"),
    (lambda: chat.requests("qwen", TALK, answers=[[1]]), ChatError, "Answers are a dictionary from a turn to its ids"),
    (lambda: chat.requests("qwen", TALK, answers={0: [1]}), ChatError, "Turn 0 (user) is no answer"),
    (lambda: chat.requests("qwen", TALK, answers={5: [1]}), ChatError, "the indexes of the answers in this chat are 1"),
    (lambda: chat.requests("qwen", TALK, answers={1: 5}), ChatError, "The answer of turn 1: ids are a list"),
    (lambda: chat.requests("qwen", TALK, answers={1: "a"}), ChatError, "The answer of turn 1: ids are whole numbers"),
    (lambda: RUN.birth("lo"), ValueError, "'lo' is not a token of this training; tokens are bytes, such as b'the'"),
    (lambda: TOK.encode("a").page(5), TypeError, "the name of a tokenizer is a str, and this is int"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), WRONG)
def test_a_wrong_call_is_refused_with_a_sentence(call, kind, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=re.escape(sentence)) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert Path(bpe_core.__file__).parent in Path(traceback.extract_tb(caught.value.__traceback__)[-1].filename).parents
    assert not [*tmp_path.iterdir()]


def test_one_text_and_one_path_are_taken_as_several_are(tmp_path):
    """Not letter by letter."""
    text = "the mergescope. " * 200
    one, several = savings(text, "gpt2", 5), savings([text], load("gpt2"), 5)
    assert (one.tokens.tolist(), one.new) == (several.tokens.tolist(), several.new)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    for path in (tmp_path / "a.csv", str(tmp_path / "a.csv")):
        assert [found.name for found in in_paths(path)] == [found.name for found in in_paths([path])]
        assert notations(path, "gpt2") == notations(next(in_paths([path])), load("gpt2"))
    (tmp_path / "a.txt").write_text(text)
    for given in (tmp_path / "a.txt", [tmp_path / "a.txt"], (text,)):
        assert savings(given, "gpt2", 5).new == one.new
        assert trim("gpt2", given).ids == trim("gpt2", text).ids
    files = {"a.txt": b"low", "b.txt": b"lower"}
    assert [found.name for found in in_memory(files)] == [found.name for found in in_memory(files.items())]


def test_wherever_a_tokenizer_or_a_text_goes_its_name_its_path_and_it_itself_go(tmp_path):
    text, data = "low lower newest " * 150, '[{"name": "low"}, {"name": "lower"}]'
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "a.json").write_text(data)
    TOK.save(tmp_path / "tok.json")
    RUN.save(tmp_path / "run.json")
    template = "{{ messages[0].content }}{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}"
    (tmp_path / "a.jinja").write_text(template)
    uses = {
        "compare": lambda tok, text, template: bpe_core.compare(tok, TOK, text).one.ids,
        "cuts": lambda tok, text, template: bpe_core.cuts(tok, text),
        "trim": lambda tok, text, template: trim(tok, text).ids,
        "savings": lambda tok, text, template: bpe_core.savings(text, tok, 5).new,
        "amounts": lambda tok, text, template: bpe_core.amounts(text, Settings(vocab_size=264), start=tok),
        "train": lambda tok, text, template: train(text, Settings(vocab_size=264), start=tok).merges,
        "notations": lambda tok, text, template: bpe_core.notations(tmp_path / "a.json", tok).tokens,
        "count": lambda tok, text, template: bpe_core.count_files(tmp_path / "a.txt", tok).total(),
        "requests": lambda tok, text, template: chat.requests(tok, TALK, template).summary,
        "tools": lambda tok, text, template: chat.tool_costs(tok, template, TURNS, TOOLS).tools,
        "same": lambda tok, text, template: same(tok, TOK, seconds=0.01).is_different,
        "files": lambda tok, text, template: dumps(tok),
    }
    given = [TOK, RUN, tmp_path / "tok.json", str(tmp_path / "run.json")]
    for name, use in uses.items():
        found = [repr(use(tok, text, template)) for tok in given]
        assert len({*found}) == 1, name
        assert repr(use(TOK, tmp_path / "a.txt", tmp_path / "a.jinja")) == found[0], name
    assert TOK.ids(tmp_path / "a.txt") == TOK.ids(text)
    assert TOK.ids_batch([tmp_path / "a.txt", "low"]) == TOK.ids_batch([text, "low"])
    assert TOK.encode(tmp_path / "a.txt").text == TOK.encode_batch([tmp_path / "a.txt"])[0].text == text
    assert TOK.ways(tmp_path / "a.json") == TOK.ways(data)


def test_a_method_and_the_function_beside_it_give_the_same(tmp_path):
    (tmp_path / "a.json").write_text('[{"name": "low"}, {"name": "lower"}]')
    qwen, tools = load("qwen"), [{"name": "clock"}, {"name": "map"}]
    assert qwen.cuts("I'm 42") == bpe_core.cuts("qwen", "I'm 42")
    assert qwen.notations(tmp_path / "a.json") == bpe_core.notations(tmp_path / "a.json", "qwen")
    assert load("gpt2").savings("low lower " * 400, 3).new == SAVED.new
    assert qwen.tool_costs(TURNS, tools) == chat.tool_costs("qwen", None, TURNS, tools)
    assert (
        qwen.requests(TALK, enable_thinking=False).sent
        == chat.requests("qwen", TALK, variables={"enable_thinking": False}).sent
    )


@pytest.mark.parametrize("line", [
    "from bpe_core.counting.notations import notations",
    "from bpe_core.counting.savings import savings",
    "from bpe_core.record.amounts import amounts",
    "from bpe_core.text.alternatives import alternatives",
    "from bpe_core.tokenizer.cuts import cuts",
    "from bpe_core.sameness.same import same",
])  # fmt: skip
def test_an_import_that_documents_of_version_3_0_have_still_works(line):
    names: dict[str, object] = {}
    exec(line, names)
    name = line.split()[-1]
    assert names[name] is getattr(bpe_core, name)


def test_a_tokenizer_of_fewer_tokens_than_bytes_grows():
    start = train("low lower", Settings("gpt2", "characters", vocab_size=9)).tokenizer()
    with pytest.raises(SettingsError, match="vocab_size 10 is below the 256 base symbols") as caught:
        Settings(vocab_size=10)
    assert "say Settings(start='given')" in " ".join(caught.value.__notes__)
    run = train("lower lower", Settings(vocab_size=10, start="given"), start=start)
    assert (run.vocab_size, run.steps, run.tokenizer(0)) == (10, 1, start)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_is_no_part_of_turns_tools_templates_and_ids(mark):
    assert chat.read_turns(f'{mark}[["user", "Hi"]]') == chat.read_turns('[["user", "Hi"]]')
    assert chat.read_tools(f'{mark}[{{"name": "clock"}}]') == ({"name": "clock"},)
    assert chat.read_template(f'{mark}{{"chat_template": "a"}}').source == "a"
    assert chat.read_template(f"{mark}{{{{ 1 }}}}").source == "{{ 1 }}"
    assert read_ids(f"{mark}[1, 2]") == ids_alone(f"{mark}[1, 2]") == ids_listed(f"{mark}1 2") == [1, 2]


@pytest.mark.parametrize("package", [bpe_core, chat, bpe_core.files])
def test_help_lists_each_name_of_a_package(package):
    assert {*package.__all__} <= {*dir(package)}
    text = pydoc.plain(pydoc.render_doc(package))
    functions = [name for name in package.__all__ if inspect.isfunction(getattr(package, name))]
    assert [name for name in functions if f"\n    {name}(" not in text] == []
    assert len(functions) > 5

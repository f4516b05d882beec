"""A wrong call of a public name is refused with a sentence, and not with an error of Python's from inside."""

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

RUN = train("low low low lower newest newest", Settings(vocab_size=262))
TOK = RUN.tokenizer()
TURNS = [("user", "Hi")]
A_STEP = "a step is a whole number, and this is "
AN_ID = "an id is a whole number, and this is "
A_NAME = "the name of a file is a str or a Path, and this is "
WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: TOK.ways(5), TypeError, "a text is a str, and this is int"),
    (lambda: TOK.id_to_token("x"), TypeError, f"{AN_ID}'x'; token_to_id takes a token"),
    (lambda: TOK.id_to_token(True), TypeError, f"{AN_ID}True"),
    (lambda: TOK.token_bytes(None), TypeError, f"{AN_ID}None"),
    (lambda: TOK.origin("a"), TypeError, f"{AN_ID}'a'"),
    (lambda: TOK.inside(1.5), TypeError, f"{AN_ID}1.5"),
    (lambda: TOK.encode(b"low"), TypeError, "a text to encode is a str, and this is bytes"),
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
    (lambda: trim("gpt2", 5), TypeError, "texts are a str or several in a list, and this is int"),
    (lambda: trim("gpt2", b"low"), TypeError, "texts are a str or several in a list, and this is bytes"),
    (lambda: TOK.apply_chat_template(None), ChatError, "Turns are a list"),
    (lambda: TOK.apply_chat_template("hi"), ChatError, "Turns are a list"),
    (lambda: TOK.apply_chat_template(TURNS, template=5), TypeError, f"{A_NAME}int"),
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
    (lambda: TOK.step_of([], 5), TypeError, f"{AN_ID}[]; token_to_id takes a token"),
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
    (lambda: chat.render(5, TURNS), TypeError, "a chat template is a str, and this is int"),
    (lambda: chat.render("qwen3", TURNS, tools=5), TypeError, "tools are several in a list, and this is int"),
    (lambda: chat.render("qwen3", TURNS, documents="a"), TypeError, "documents are several in a list, and this is str"),
    (lambda: chat.render("qwen3", TURNS, variables=["a"]), ChatError, "Variables are a dictionary"),
    (lambda: chat.variables_of(b"a"), TypeError, "a chat template is a str, and this is bytes"),
    (lambda: chat.read_turns([]), TypeError, "JSON is a str, and this is list"),
    (lambda: chat.requests(5, TURNS), TypeError, "a tokenizer or its name is needed, such as 'gpt2', and this is int"),
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

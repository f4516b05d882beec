"""What people look for who know `tokenizers` and `tiktoken`: names, batches, streams, special tokens, equality."""

import gc
import json
import pickle
from base64 import b64decode
from itertools import combinations
from pathlib import Path
from weakref import WeakValueDictionary

import pytest
import tiktoken
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING
from tiktoken_ext import openai_public

from bpe_core import (
    FORMATS,
    PRETOKENIZERS,
    PUBLISHED,
    FormatError,
    Run,
    RunFileError,
    Settings,
    SpecialTokenError,
    compare,
    dumps,
    load,
    loads,
    normalize,
    published,
    train,
    train_counts,
    trim,
)
from bpe_core.published import named, published_vocabulary
from bpe_core.record.run_training import train_with_index
from bpe_core.tokenizer.comparison import Difference
from bpe_core.tokenizer.encoding import Encoding
from tests.shapes import file_of, leads_back
from tests.some import only
from tests.texts import NASTY_UNICODE

GPT2 = PUBLISHED["gpt2"].load()
TEXTS = st.lists(st.text(max_size=20) | st.sampled_from(NASTY_UNICODE), max_size=6)
KINDS = [Settings(key, vocab_size=300) for key in PRETOKENIZERS] + [
    Settings("whitespace", "characters", marker, vocab_size=40) for marker in ("start", "end")
]
TRAINED = [train("the lower lowest newer tales 12 12, don't 🦜", settings).tokenizer() for settings in KINDS]
END = "<|endoftext|>"
QUICK = ("gpt2", "cl100k_base", "bert")  # the others' vocabularies are large, and gone through in the same way


@given(TEXTS, st.sampled_from([GPT2, *TRAINED]))
def test_a_batch_is_its_texts(texts, tok):
    alone = [tok.ids(text, specials=False) for text in texts]
    assert tok.ids_batch(texts, specials=False) == alone
    batch = tok.encode_batch(texts, specials=False)
    assert [list(found.ids) for found in batch] == alone
    assert [found.spans for found in batch] == [tok.encode(text, specials=False).spans for text in texts]
    assert tok.decode_batch(alone) == [tok.decode(ids) for ids in alone]
    assert [tok.count(text, specials=False) for text in texts] == [len(found) for found in batch]


@given(st.text(max_size=30) | st.sampled_from(NASTY_UNICODE), st.sampled_from([GPT2, *TRAINED]))
def test_a_stream_is_the_decoded_text(text, tok):
    ids = tok.ids(text, specials=False)
    parts = list(tok.decode_stream(iter(ids)))
    assert "".join(parts) == tok.decode(ids)
    assert all(parts)
    assert tok.decode_bytes(ids).decode("utf-8", "replace") == tok.decode(ids)


@pytest.mark.parametrize("encode", ["ids", "encode", "count"])
def test_the_name_of_a_special_token_is_recognised_only_when_asked_for(encode):
    with pytest.raises(SpecialTokenError, match="specials=True"):
        getattr(GPT2, encode)(f"low{END}")
    with pytest.raises(SpecialTokenError, match="character 3"):
        GPT2.ids_batch(["low", f"low{END}"])
    assert GPT2.ids(f"low{END}", specials=True) == [9319, 50256]
    assert GPT2.decode([9319, 50256], skip_special_tokens=True) == "low"


CHAT = train("the lower lowest", Settings(vocab_size=262, special_tokens=("<|a|>", "<|b|>", "<|c|>"))).tokenizer()


@given(
    st.lists(st.sampled_from(["low", " ", "<|a|>", "<|b|>", "<|c|>", "<|", "é"]), max_size=6),
    st.sets(st.sampled_from(["<|a|>", "<|b|>", "<|c|>"])),
)
def test_a_set_of_special_tokens_is_tiktoken_s_allowed_special(parts, allowed):
    text, files = "".join(parts), dumps(CHAT, ".tiktoken").values()
    ranks, rest = files
    order = {b64decode(token): int(rank) for token, rank in map(bytes.split, ranks.splitlines())}
    theirs = tiktoken.Encoding("chat", mergeable_ranks=order, **json.loads(rest))
    opened = loads(dumps(CHAT))
    try:
        ids = theirs.encode(text, allowed_special=allowed)
    except ValueError:
        for tok in (CHAT, opened):
            for encode in (tok.ids, tok.encode, lambda one, tok=tok, **more: tok.ids_batch([one], **more)):
                with pytest.raises(SpecialTokenError, match="specials"):
                    encode(text, specials=allowed)
    else:
        for tok in (CHAT, opened):
            assert tok.ids(text, specials=allowed) == ids == [*tok.encode(text, specials=allowed).ids]
            assert tok.ids_batch([text], specials=allowed) == [ids]
            assert [*tok.encode_batch([text], specials=allowed)[0].ids] == ids


def test_a_set_of_special_tokens_has_names_of_the_tokenizer():
    with pytest.raises(ValueError, match="which is no special token of this tokenizer"):
        CHAT.ids("low", specials={"<|d|>"})
    with pytest.raises(
        SpecialTokenError, match=r"'<\|b\|>' at character 5; add it to {'<\|a\|>'}, or say specials=True"
    ):
        CHAT.ids("<|a|><|b|>", specials={"<|a|>"})


def test_a_tokenizer_equals_its_copies_and_no_other():
    copy = pickle.loads(pickle.dumps(GPT2))
    assert copy == GPT2
    assert hash(copy) == hash(GPT2)
    assert GPT2.with_special_tokens("<|user|>") != GPT2
    assert len({*TRAINED, *map(pickle.loads, map(pickle.dumps, TRAINED))}) == len(TRAINED)


def test_tokens_and_ids_lead_to_each_other():
    vocab = GPT2.get_vocab()
    assert len(vocab) == len(GPT2) == 50257
    assert all(GPT2.token_to_id(token) == i for token, i in vocab.items())
    assert [GPT2.id_to_token(i) for i in (262, 50256, 50257, -5)] == [b" the", END.encode(), None, None]


OTHERS = ["llama2", "gemma", "wordpiece", "unigram", "gpt2 with end of word"]


@pytest.mark.parametrize("name", [*only(PUBLISHED, *QUICK), *OTHERS])
def test_a_token_of_every_id_leads_back_to_it(name):
    tok = load(name) if name in PUBLISHED else loads({"tokenizer.json": file_of(name)})
    leads_back(tok)
    for token in ("a", "s", "the", "\n", "<0x41>", "##s"):
        if [tok.token_bytes(i) for i in tok.ids(token)] == [token.encode()] and not tok.vocabulary.endings:
            assert [tok.token_to_id(token)] == tok.ids(token)


def test_of_two_tokens_with_the_same_bytes_each_has_its_name():
    bert, llama = load("bert"), loads({"tokenizer.json": file_of("gemma")})
    assert [bert.token_to_id(token) for token in ("s", b"s", "##s")] == [1055, 1055, 2015]
    assert bert.get_vocab()[b"s"] == 1055
    assert bert.token_bytes(2015) == b"s"
    byte = llama.kinds and next(i for i in llama.kinds if llama.tokens[i] == b"a")
    assert llama.token_to_id("<0x61>") == byte
    assert [llama.token_to_id("a")] == llama.ids("a") != [byte]
    assert llama.id_to_token(llama.token_to_id(b"\xf0")) == b"<0xF0>"


@pytest.mark.parametrize("name", ["gpt-4o", "GPT-4o", "gpt4o", "gpt-4o-2024-08-06", "o200k_base", "o3", "gpt-5"])
def test_a_model_s_name_is_its_vocabulary_s_which_is_loaded_once(name):
    assert load(name) is load("o200k_base")


def test_the_latest_vocabularies_are_kept_though_nobody_holds_them(monkeypatch: pytest.MonkeyPatch):
    loads, models = [], published_vocabulary._MODELS
    counting = {
        kind: row._replace(load=lambda row, load=row.load: loads.append(row.name) or load(row))
        for kind, row in models.items()
    }
    for name, value in (("_MODELS", counting), ("_in_use", WeakValueDictionary()), ("_latest", {}), ("LATEST", 2)):
        monkeypatch.setattr(published_vocabulary, name, value)
    for name in ("gpt2", "bert", "GPT-2", "gpt-3", "bert", "gpt2"):
        load(name).ids("low")
    assert loads == ["gpt2", "bert"]
    held = load("p50k_base")
    for name in ("bert", "gpt2"):
        gc.collect()
        load(name)
    assert load("p50k_base") is held
    assert loads == ["gpt2", "bert", "p50k_base", "bert", "gpt2"]


def test_openai_s_names_mean_what_they_mean_in_tiktoken():
    dated = {f"{begins}-2025".replace("--", "-"): name for begins, name in MODEL_PREFIX_TO_ENCODING.items()}
    for model, name in (MODEL_TO_ENCODING | dated).items():
        found, ours = named(model), "gpt2" if name == "r50k_base" else name
        assert found.name == ours, model


OPENAI = [row for row in published.NAMED if "k_" in row.name]


@pytest.mark.parametrize("row", only(OPENAI, PUBLISHED["cl100k_base"]), ids=lambda row: row.name)
def test_openai_s_special_tokens_are_tiktoken_s(row, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})  # its files are not needed
    assert row.special_tokens == getattr(openai_public, row.name)()["special_tokens"]
    assert row.load().ids("low <|endoftext|>", specials=True)[-1] == row.special_tokens[END]


@pytest.mark.parametrize("name", ["gpt-5.json", "gpt-4o-mine.tiktoken", "bert-base-cased", "qwen3.5"])
def test_a_file_and_another_model_are_no_published_vocabulary(name):
    assert named(name) is None


def test_no_two_vocabularies_have_one_name():
    names = [name for row in published.NAMED for name in row.names]
    spellings = [{name.replace("-", "").replace("_", "") for name in row.names} for row in published.NAMED]
    assert sum(map(len, spellings)) == len(set().union(*spellings))
    assert all(name == name.lower() and " " not in name for name in names)


def test_a_name_that_nobody_knows_is_refused_with_those_that_are_known():
    with pytest.raises(FileNotFoundError, match=r"^gtp-4o: there is no such file.*o200k_base.*gpt-4o"):
        load("gtp-4o")


@given(TEXTS)
def test_a_comparison_has_all_spans_in_which_the_tokens_differ(texts):
    text, tok = "".join(texts), TRAINED[1]
    found = compare(GPT2, tok, text, specials=False)
    start = 0
    for difference in [*found.differences, None]:
        end = difference.start if difference else len(text)
        tokens = [_inside(side, start, end) for side in (found.one, found.other)]
        assert tokens[0] == tokens[1]
        if difference:
            assert difference.one == _inside(found.one, difference.start, difference.end) != difference.other
            start = difference.end


@example("ดשלום", ("cl100k_base", "tekken"))
@example("\u0301\u094d", ("gpt2", "qwen"))  # NFC swaps them
@example("u\u0308 नमस्ते 🦜🦜 中文", ("gpt2", "qwen"))
@given(
    st.text(st.sampled_from("aZé 1'\n\u0301דשไทยดहि्漢字🦜👩\u200d한𝒳\u1112\u1161\U0003250f"), max_size=20),
    st.sampled_from([*combinations((name for name in PUBLISHED if name != "bert"), 2)]),
)
def test_both_sides_of_a_difference_and_what_is_between_two_have_the_bytes_of_the_text(text, names):
    """Qwen's tokens have those of the normalized text; BERT's drop some of it."""
    tokenizers = [load(name) for name in names]
    found, start = compare(*tokenizers, text), 0
    for each in [*found.differences, Difference(len(text), len(text), (), ())]:
        between = [_inside(side, start, each.start) for side in (found.one, found.other)]
        for tok, common, own in zip(tokenizers, between, (each.one, each.other), strict=True):
            for tokens, piece in ((common, text[start : each.start]), (own, text[each.start : each.end])):
                assert b"".join(tokens) == normalize(piece, tok.normalizers).text.encode()
        start = each.end


def _inside(side: Encoding, start: int, end: int) -> tuple[bytes, ...]:
    rows = zip(side.tokens, side.spans, strict=True)
    return tuple(token for token, span in rows if start <= span[0] and span[1] <= end)


def test_a_run_from_a_vocabulary_that_ships_comes_back_however_it_was_named(tmp_path: Path):
    by_name, loaded = (train("a parrot", Settings(vocab_size=50258), start=start) for start in ("gpt2", GPT2))
    assert by_name.merges == loaded.merges
    for run in (by_name, loaded):
        path = run.save(tmp_path / "run.json")
        assert Run.load(path) == run
        assert path.stat().st_size < 1000, "the name, and not the tokens"
    own = train("a parrot", Settings(vocab_size=50259), start=GPT2.with_special_tokens("<|user|>"))
    assert Run.load(own.save(tmp_path / "own.json")) == own


@pytest.mark.parametrize("settings", KINDS)
def test_a_run_comes_back_from_its_file(settings, tmp_path: Path):
    for corpus in ("low lower \ud800 🦜 low", ["low", "lower low"]):
        run = train(corpus, settings)
        again = Run.load(run.save(tmp_path / "run.json"))
        assert again == run
        assert hash(again) == hash(run)
        assert again != train("low lower", settings)
        assert (again.merges, again.settings, again.texts) == (run.merges, run.settings, run.texts)
        assert again.words(run.steps) == run.words(run.steps)


@pytest.mark.parametrize("content", ["", "{}", '{"mergescope run": 1}', '{"mergescope run": 1, "settings": {"x": 1}}'])
def test_a_file_that_is_no_run_is_refused(content, tmp_path: Path):
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunFileError, match=r"run\.json: "):
        Run.load(tmp_path / "run.json")


def test_a_path_is_its_file_and_its_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("story.txt").write_text("low lower lowest")
    settings = Settings(vocab_size=258)
    merges = train("low lower lowest", settings).merges
    assert train(Path("story.txt"), settings).merges == train([Path("story.txt")], settings).merges == merges
    for corpus in ("story.txt", ["story.txt"]):
        with pytest.raises(ValueError, match=r"give Path\('story\.txt'\)"):
            train(corpus, settings)
    for corpus in ("other.txt", ["data/Other.JSONL"]):
        with pytest.raises(
            ValueError, match=r"looks like the name of a file, and there is no such file; .*give a tuple"
        ):
            train(corpus, settings)
    for corpus in ("I read story.txt", "e.g.", "low\nother.txt", ("other.txt",), ("story.txt",)):
        run = train(corpus, settings)
        assert Run.load(run.save("run.json")).texts == run.texts
    assert train_with_index("story.txt", settings).texts == ("story.txt",)  # a visitor's text in the app
    assert train("low low").settings == Settings()


@pytest.mark.parametrize("wrong", [b"low", [b"low"], {"low": 1}, [["low"]], 3, iter([{"text": "low"}])])
def test_what_is_no_text_is_refused_at_once(wrong):
    with pytest.raises(TypeError, match="a text"):
        train(wrong, Settings())


RUN = train("low low", Settings(vocab_size=257))


@pytest.mark.parametrize(
    ("call", "kind", "reason"),
    [
        (lambda: train("low", workers=0), ValueError, "workers is how many threads count"),
        (lambda: train("low", workers="2"), ValueError, "workers is how many threads count"),
        (lambda: train_counts(["low"], Settings()), TypeError, "a mapping such as a Counter"),
        (lambda: RUN.pair_counts(0, top=-1), ValueError, "top is how many pairs"),
        (lambda: RUN.contributions(0, "l", "o"), TypeError, "two tokens as bytes"),
        (lambda: GPT2.token_to_id(5), TypeError, "id_to_token takes an id"),
        (lambda: GPT2.token_bytes("a"), TypeError, "token_to_id gives the id of a token"),
        (lambda: GPT2.token_bytes(True), TypeError, "an id is a whole number, and this is True"),
        (lambda: GPT2.save("no-such-folder/x.json"), FileNotFoundError, "^no-such-folder: there is no such folder to"),
        (lambda: GPT2.save("no-such-folder/x.tiktoken"), FileNotFoundError, "^no-such-folder: there is no such folder"),
        (lambda: load("gpt-oss"), FileNotFoundError, r"of this name. Is it gpt-oss-20b or gpt-oss-120b\? There are"),
        (lambda: load("p50k"), FileNotFoundError, r"Is it p50k_base or p50k_edit\?"),
        (lambda: load("parrot"), FileNotFoundError, "of this name. There are"),
        (lambda: GPT2.ids_batch(None), TypeError, "takes several, such as a list, and this is NoneType"),
        (lambda: loads(None), TypeError, "a dictionary, name → content, and this is NoneType"),
        (lambda: dumps(5), TypeError, "a tokenizer or its name is needed, such as .gpt2., and this is int"),
        (
            lambda: loads({"a.tiktoken": b"IQ== 99999999999\n"}),
            FormatError,
            "line 1 is 99999999999, which is too large",
        ),
        (lambda: load(5), TypeError, "load takes a name or a path"),
    ],
)
def test_what_is_not_meant_is_refused_with_a_sentence(call, kind, reason):
    with pytest.raises(kind, match=reason):
        call()
    assert repr(trim("gpt2", "low")) == "<Trimmed to 259 tokens>"


@pytest.mark.parametrize("ids", ["15496", b"a", [1.5], [[1]], ["1"], [None], [True]])
def test_what_is_no_id_is_refused(ids):
    with pytest.raises(TypeError, match="ids are whole numbers"):
        GPT2.decode(ids)


def test_only_a_vocabulary_that_loses_text_has_an_id_for_what_it_lost():
    with pytest.raises(ValueError, match="id -1 is not in this vocabulary"):
        GPT2.decode([-1])
    assert GPT2.id_to_token(-1) is None
    letters = train("low", Settings(alphabet="characters", vocab_size=3)).tokenizer()
    assert letters.decode(letters.ids("owl?")) == "owl<unk>"


@pytest.mark.parametrize("row", only(PUBLISHED.values(), *map(PUBLISHED.get, QUICK)), ids=lambda row: row.name)
def test_the_size_of_a_vocabulary_is_one_more_than_its_largest_id(row):
    tok = row.load()
    assert tok.id_to_token(tok.n_vocab - 1)
    assert tok.n_vocab == tok.vocab_size == 1 + max(tok.get_vocab().values()) >= len(tok) == len(tok.get_vocab())
    assert tok.with_special_tokens("<|new|>").token_to_id("<|new|>") == tok.n_vocab


@pytest.mark.parametrize("settings", [Settings(vocab_size=258), Settings(start="o200k_base", vocab_size=200_021)])
def test_the_size_of_a_vocabulary_is_the_same_in_settings_run_and_tokenizer(settings):
    run = train("a parrot, two parrots: the parrots' parrot", settings)
    assert run.vocab_size == run.tokenizer().vocab_size == settings.vocab_size
    assert len(run.tokenizer()) == (200_002 if settings.start != "none" else 258)


def test_a_file_s_name_says_its_format(tmp_path: Path):
    tok = train("low low", Settings(vocab_size=258)).tokenizer()
    ranks = [path.name for path in tok.save(tmp_path / "mine.tiktoken")]
    assert ranks == ["mine.tiktoken", "mine.tiktoken.json"]
    assert load(tmp_path / "mine.tiktoken") == tok
    assert [path.name for path in tok.save(tmp_path)] == ["tokenizer.json"]
    assert [path.name for path in tok.save(tmp_path / "mine", "tiktoken")] == ["mine", "mine.json"]
    (folder := tmp_path / "v1.0").mkdir()
    assert [path.name for path in tok.save(folder, "JSON")] == ["tokenizer.json"]
    assert [path.name for path in tok.save(folder)] == ["tokenizer.json"]
    with pytest.raises(FormatError, match=r"'mine\.txt' names no format: it can be tokenizer\.json, vocab\.json, "):
        tok.save(tmp_path / "mine.txt")
    assert not (tmp_path / "mine.txt").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_a_folder_is_opened_by_the_usual_names_in_it(tmp_path: Path, form: str):
    with pytest.raises(FormatError, match=r"none of tokenizer\.json, vocab\.json \+ merges\.txt, tokenizer\.model, "):
        load(tmp_path)
    train("low low", Settings("gpt2", vocab_size=258)).tokenizer().save(tmp_path, form)
    assert load(str(tmp_path)).ids("low") == [257]


def test_what_cannot_be_meant_is_refused_with_what_can():
    with pytest.raises(TypeError, match="Settings\\(vocab_size=300\\)"):
        train("low", 300)
    for batch, of_one in (("ids_batch", "low"), ("encode_batch", "low"), ("decode_batch", [9319])):
        with pytest.raises(TypeError, match=f"{batch} takes several.*give it to {batch.removesuffix('_batch')}"):
            getattr(GPT2, batch)(of_one)
    with pytest.raises(TypeError, match="a tokenizer or its name is needed"):
        compare("gpt2", 5, "low")
    for specials in ("none", 1, {1: 2}, [1]):
        for encode, text in ((GPT2.ids, "low"), (GPT2.encode, "low"), (GPT2.ids_batch, ["low"])):
            with pytest.raises(TypeError, match=f"specials is True .* it is no {type(specials).__name__}"):
                encode(text, specials=specials)
    for method in ("ids", "encode", "count", "encode_batch", "ids_batch"):
        with pytest.raises(TypeError, match="positional"):
            getattr(GPT2, method)("low", True)
    for method in ("decode", "decode_bytes", "decode_batch", "decode_stream"):
        with pytest.raises(TypeError, match="positional"):
            getattr(GPT2, method)([9319], True)
    run = train("low low", Settings(vocab_size=257))
    for page, path in ((run.page, "x.html"), (GPT2.encode("low").page, "x.html"), (run.page, Path("x.html"))):
        with pytest.raises(TypeError, match=r"page\(\)\.save\('x\.html'\)"):
            page(path)
    with pytest.raises(FileNotFoundError, match="hub:owner/model"):
        load("openai-community")
    with pytest.raises(FormatError, match="pretokenizer 'nope' is unknown"):
        load("gpt2", pretokenizer="nope")
    with pytest.raises(FormatError, match=r"says itself how text is split .“GPT-2”."):
        load("gpt2", pretokenizer="cl100k")
    assert load("gpt2", pretokenizer="gpt2") is GPT2
    with pytest.raises(FormatError, match="says itself"):
        loads(dumps(train("low", Settings(vocab_size=257)).tokenizer(), ".tiktoken"), "cl100k")
    for name in ("openai-community/gpt2", "Qwen/Qwen2.5-7B"):
        with pytest.raises(FileNotFoundError, match=f"say hub:{name}"):
            load(name)
    with pytest.raises(FileNotFoundError, match=r"folder/mine.json: there is no such file"):
        load("folder/mine.json")


def test_a_name_that_would_mislead_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    run = train("low low", Settings(vocab_size=257))
    with pytest.raises(FormatError, match="a name is needed"):
        GPT2.save("")
    with pytest.raises(RunFileError, match=r"a name such as run\.json and not to 'r\.tiktoken'"):
        run.save("r.tiktoken")
    assert not [*tmp_path.iterdir()]
    with pytest.raises(FormatError, match=r"open it with Run\.load"):
        load(run.save("r.json"))


@pytest.mark.parametrize("name", [None, "", ["a"], "hello"])
def test_what_can_be_no_special_token_is_refused(name: object):
    with pytest.raises(ValueError, match="is an ordinary token, with id" if name == "hello" else "is not empty"):
        GPT2.with_special_tokens(name)


def test_an_opened_file_says_how_it_gets_special_tokens():
    with pytest.raises(ValueError, match=r"add them with that library .* save the file and load it"):
        loads(dumps(train("hug", Settings("none", "characters", vocab_size=5)).tokenizer())).with_special_tokens(
            "<|user|>"
        )


def test_what_was_saved_opens_as_what_it_was(tmp_path):
    """With all methods, and saved again as the same file."""
    talk = GPT2.with_special_tokens("<|user|>", "<|end|>")
    opened = load(talk.save(tmp_path / "a.json")[0])
    assert (opened, type(opened)) == (talk, type(talk))
    assert opened.with_special_tokens("<|more|>") == talk.with_special_tokens("<|more|>")
    assert opened.save(tmp_path / "b.json")[0].read_bytes() == (tmp_path / "a.json").read_bytes()
    assert dumps(opened.with_special_tokens("<|more|>")) == dumps(talk.with_special_tokens("<|more|>"))
    assert pickle.loads(pickle.dumps(opened)) == talk


def test_one_id_is_no_list():
    for tok in (GPT2, loads(dumps(GPT2))):
        with pytest.raises(TypeError, match=r"a list, such as \[15496\]"):
            tok.decode(15496)


def test_nobody_changes_the_tokenizer_that_all_share():
    for mine in (GPT2.special_tokens, GPT2.kinds, PUBLISHED["gpt2"].special_tokens):
        for method, values in (("update", [{"<s>": 1}]), ("__setitem__", ["<s>", 1]), ("clear", []), ("popitem", [])):
            with pytest.raises(TypeError, match="change a copy"):
                getattr(mine, method)(*values)
    assert load("gpt2").special_tokens == {"<|endoftext|>": 50256} == pickle.loads(pickle.dumps(GPT2)).special_tokens


def test_a_drawn_encoding_has_its_tokens():
    found = GPT2.encode("a <b> dog")
    assert "&lt;" in found.svg()
    assert "&lt;" in found.html()
    assert r"\tok" in found.tex() or "dog" in found.tex()
    run = train("low low", Settings(vocab_size=258))
    assert all("seen 2 times" in draw(1) for draw in (run.svg, run.html, run.tex))


def test_what_only_the_project_needs_is_no_public_name():
    """It is behind the tokenizer's pipeline and vocabulary, and behind the run's stages."""
    run = train("low low", Settings(vocab_size=257))
    inner = {"longest_match", "longest_pipeline", "text_of", "why_no_merge", "special_names", "published"}
    assert {name for tok in (GPT2, load("bert"), run.tokenizer()) for name in inner & {*dir(tok)}} == set()
    arrays = {"flat", "lifetimes", "history", "corpus", "pair_ids", "index", "check_step", "film"}
    assert arrays & {*dir(run)} == {"index", "check_step"} & {*dir(run.stages[0])} == set()


def test_a_lone_surrogate_is_kept_where_tiktoken_changes_it():
    ranks = {token: i for i, token in enumerate(GPT2.tokens) if token}
    theirs = tiktoken.Encoding("x", pat_str=GPT2.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens={})
    raw = [b"".join(map(theirs.decode_single_token_bytes, theirs.encode(text))) for text in ("\ud800", "\ud83d\ude42")]
    assert raw == ["\ufffd".encode(), "🙂".encode()]
    ours = [GPT2.decode_bytes(GPT2.ids(text)) for text in ("\ud800", "\ud83d\ude42")]
    assert ours == [text.encode("utf-8", "surrogatepass") for text in ("\ud800", "\ud83d\ude42")]
    with pytest.raises(TypeError):
        tokenizers.Tokenizer.from_str(dumps(GPT2)["tokenizer.json"].decode()).encode("\ud800")


@pytest.mark.parametrize("ask", [GPT2.token_bytes, GPT2.origin, GPT2.inside])
def test_no_answer_is_given_about_an_id_without_a_token(ask):
    with pytest.raises(ValueError, match="id 70000 is not in this vocabulary"):
        ask(70_000)

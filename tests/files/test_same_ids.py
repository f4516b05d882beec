"""Files: every one loaded by the library that it is for, and encoding to the same ids there."""

import re
import sys
import warnings
from contextlib import chdir
from dataclasses import replace
from functools import partial
from pathlib import Path

import MiniBpeRust
import pytest
import tiktoken
import tokenizers
from hypothesis import given

from bpe_core import FORMATS, NORMALIZERS, UNKNOWN, FormatError, Settings, Tokenizer, dumps, load, loads, train
from bpe_core.files import hugging_face_parts
from bpe_core.files.conversion import opens_alone
from bpe_core.text.alphabet import LETTER_OF, without_surrogates
from bpe_core.tokenizer.encoding import Around
from tests.files.driver import CARRIED, CORPUS, READ_AND_WRITTEN, SPECIAL, carried_run
from tests.some import some
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

ROOT = Path(__file__).parents[2]
WRITABLE = TEXTS.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))


def in_tokenizers(loaded, text):
    unknown = loaded.model.unk_token and loaded.token_to_id(loaded.model.unk_token)
    return [UNKNOWN if i == unknown else i for i in loaded.encode(text).ids]


IDS = {
    "tokenizer.json": in_tokenizers,
    "vocab.json + merges.txt": lambda loaded, text: loaded.encode(text).ids,
    ".tiktoken": lambda loaded, text: loaded.encode(text, allowed_special="all"),
    "minbpe": lambda loaded, text: loaded.encode(text, allowed_special="all"),
}


def theirs(tok, folder, name="tokenizer.json"):
    """Save a tokenizer and load it as its format's row says, as it is pasted: a function from text to ids."""
    tok.save(folder, name)
    names: dict = {}
    with chdir(folder), warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "minbpe", MiniBpeRust)  # which has minbpe's own `base.py` and `regex.py`, unchanged
        warnings.simplefilter("ignore", ResourceWarning)  # of open(…)
        exec(FORMATS[name].loaded_by, names)
    return partial(IDS[name], names["mine"])


def test_the_manual_loads_the_files_as_each_format_does():
    imports = re.search(r"\nimport (base64, json, .*)", MANUAL)[1].split(", ")
    for form in FORMATS.values():
        first, *statements = form.loaded_by.replace("'", '"').splitlines()
        assert {*first.removeprefix("import ").split(", ")} <= {*imports}
        for statement in statements:
            assert f"\n{statement}\n" in MANUAL


@pytest.mark.parametrize(("name", "key", "alphabet", "special"), some(CARRIED))
def test_where_the_library_is_missing_our_own_parts_open_a_file_or_its_export_says_so(name, key, alphabet, special):
    tok = carried_run(key, alphabet, special).tokenizer()
    assert opens_alone(tok) != loads(dumps(tok)).needs_library
    assert name == "tokenizer.json" or not loads(dumps(tok, name)).needs_library


MANUAL = (ROOT / "bpe_core/README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\|.*\|$", MANUAL.partition("| tiktoken | tokenizers | here |\n")[2].partition("\n\n")[0], re.M)[1:]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """What the manual's table is about, with the same vocabulary: names → values."""
    tok, folder = replace(load("gpt2"), around=Around((50256,))), tmp_path_factory.mktemp("libraries")
    tok.save(folder)
    ranks = {token: i for i, token in enumerate(tok.tokens) if token}
    enc = tiktoken.Encoding(
        "gpt2", pat_str=tok.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens=tok.special_tokens
    )
    special = "The <|endoftext|>keeper's 🦜 dog"
    with chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setitem(tiktoken.registry.ENCODINGS, "gpt2", enc)
        yield {
            "tiktoken": tiktoken, "Tokenizer": tokenizers.Tokenizer, "load": load, "tok": tok, "enc": enc,
            "hf": tokenizers.Tokenizer.from_file("tokenizer.json"), "text": special.replace("<|endoftext|>", ""),
            "special": special, "texts": [special[:4], "", "dog"], "ids": tok.ids(special, specials=True),
        }  # fmt: skip


def plain(value):
    """A result that can be compared: the ids of a text for a tokenizer, lists for all sequences."""
    if isinstance(value, tiktoken.Encoding | tokenizers.Tokenizer):
        value = value.encode("The dog")
        return value if isinstance(value, list) else value.ids[1:]
    if isinstance(value, Tokenizer):
        return value.ids("The dog")
    return [*map(plain, value)] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rpartition("| `")[2])
def test_the_manual_s_rows_say_what_is_the_same_in_other_libraries(libraries, row):
    *others, ours = [cell.strip() for cell in row.strip("|").split(" | ")]
    expressions = [cell.partition("`")[2].partition("`")[0] for cell in (*others, ours)]
    *found, here = [plain(eval(each, dict(libraries))) for each in expressions if each]
    if "as letters for bytes" in row:
        here = ["".join(map(LETTER_OF.__getitem__, token)) if i else token.decode() for i, token in enumerate(here)]
    assert found
    assert all(each == here for each in found)


# The beginnings of the texts: minbpe's encoder, which is the textbook's, takes long on a long text.
@pytest.mark.parametrize("length", [500, pytest.param(None, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(("name", "key", "alphabet", "special"), some(CARRIED))
def test_the_library_encodes_to_the_same_ids(tmp_path, name, key, alphabet, special, length):
    run = carried_run(key, alphabet, special)
    for step in (0, 100, run.steps):
        tok = run.tokenizer(step)
        folder = tmp_path / str(step)
        folder.mkdir()
        encode = theirs(tok, folder, name)

        for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, "a<|end|><|end|>b<|end|>c"]:
            assert encode(text[:length]) == tok.ids(text[:length], specials=True)

    @given(WRITABLE)
    def compare(text):
        assert encode(text) == tok.ids(text, specials=True)

    compare()


@pytest.mark.parametrize("name", READ_AND_WRITTEN)
@pytest.mark.parametrize("rule", some(["first-seen", "corpus-order", "greatest", "lowest-id", "hugging-face"], 4))
def test_every_tie_rule_and_forced_merges(tmp_path, name, rule):
    chosen = Settings(tie_rule=rule, vocab_size=600, forced={3: (b"z", b"e")})
    tok = train(CORPUS, chosen).tokenizer()
    encode = theirs(tok, tmp_path, name)
    for text in EXAMPLE_TEXTS.values():
        assert encode(text) == tok.ids(text)


@pytest.mark.parametrize("keys", [(key,) for key in NORMALIZERS] + [("nfkd", "strip-accents", "lowercase")])
@pytest.mark.parametrize("alphabet", some(["bytes", "characters"]))
def test_normalizers_travel(tmp_path, keys, alphabet):
    chosen = Settings(normalizers=keys, alphabet=alphabet, vocab_size=900, special_tokens=SPECIAL)
    tok = train(CORPUS, chosen).tokenizer()
    encode = theirs(tok, tmp_path)
    for text in [
        *EXAMPLE_TEXTS.values(),
        *NASTY_UNICODE,
        "É<|end|>e\u0301<|END|>ﬁ",
        "ThÍs is  áN ExaMPlé     sÉnteNCE",
    ]:
        assert encode(text) == tok.ids(text, specials=True)


def test_minbpe_carries_patterns_of_the_user(tmp_path):
    tok = train(CORPUS, Settings("custom", pattern=r" ?\w+|\W ", vocab_size=400)).tokenizer()
    encode = theirs(tok, tmp_path, "minbpe")
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        assert encode(text) == tok.ids(text)


@pytest.mark.parametrize("pattern", [r" ?\S+", r"\S+| ", r"(?: a)|(?:b )", r"(?: ?\S+)"])
def test_minbpes_brackets_around_a_pattern_come_off_again(tmp_path, pattern):
    tok = train(CORPUS, Settings("custom", pattern=pattern, vocab_size=300)).tokenizer()
    back = load(tok.save(tmp_path, "minbpe")[0])
    assert back.pretokenizer.pattern == (pattern if pattern != r"(?: ?\S+)" else r" ?\S+")


@pytest.mark.parametrize("pattern", [r"\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+", r"[A-Z]?[a-z]+|\s+(?!\S)|(?:\.|-)+|\S"])
def test_a_pattern_of_one_s_own_is_written_where_the_library_splits_by_it_as_we_do(pattern):
    tok = train(CORPUS, Settings("custom", pattern=pattern, vocab_size=600)).tokenizer()
    content = dumps(tok)["tokenizer.json"]
    theirs = tokenizers.Tokenizer.from_buffer(content)
    for text in (*EXAMPLE_TEXTS.values(), *NASTY_UNICODE):
        if without_surrogates(text, "") == text:
            assert theirs.encode(text).ids == tok.ids(text) == loads({"a": content}).ids(text)


def test_a_pattern_that_takes_too_long_to_check_is_refused_with_that_reason(monkeypatch):
    monkeypatch.setattr(hugging_face_parts, "SECONDS", 0.0)
    tok = train(CORPUS, Settings("custom", pattern=r"\w+|\W", vocab_size=300)).tokenizer()
    with pytest.raises(FormatError, match=r"takes too long to check how Hugging Face splits by the pattern '\\\\w\+"):
        dumps(tok, "tokenizer.json")


@pytest.mark.parametrize("pattern", [r" ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+", r"\w+|[^\w\s]", r"\S+(?=\s)|."])
def test_a_pattern_of_one_s_own_is_beside_the_ranks_where_tiktoken_splits_by_it_as_we_do(tmp_path, pattern):
    """Both drop what the pattern does not match. The ranks alone hold no pattern: one is given when they are opened."""
    settings = Settings("custom", pattern=pattern, vocab_size=600)
    tok = train(CORPUS, settings).tokenizer()
    encode = theirs(tok, tmp_path, ".tiktoken")
    files = dumps(tok, ".tiktoken")
    alone = {"ranks": files["tokenizer.tiktoken"]}
    back, chosen = loads(files), loads(alone, settings.splitter)
    assert back.pretokenizer == chosen.pretokenizer == tok.pretokenizer
    for text in (*EXAMPLE_TEXTS.values(), *NASTY_UNICODE):
        if without_surrogates(text, "") == text:
            assert encode(text) == tok.ids(text) == back.ids(text) == chosen.ids(text)
    with pytest.raises(FormatError, match=r"a \.tiktoken file does not say how text is split"):
        loads(alone)


def test_special_tokens_stand_in_a_vocab_json_as_in_gpt2_s_own(tmp_path):
    """Reading finds them as the tokens that no merge makes; `tokenizers` looks for them once it is told their names."""
    tok = train(CORPUS, Settings(vocab_size=400, special_tokens=SPECIAL)).tokenizer()
    vocab, merges = tok.save(tmp_path, "vocab.json + merges.txt")
    again, theirs = load(vocab), tokenizers.ByteLevelBPETokenizer(str(vocab), str(merges))
    assert again.special_tokens == tok.special_tokens
    for text in EXAMPLE_TEXTS.values():
        assert again.ids(text) == tok.ids(text) == theirs.encode(text).ids
        for name, i in tok.special_tokens.items():
            assert again.ids(f"a{name}{text[:20]}", specials=True) == tok.ids(f"a{name}{text[:20]}", specials=True)
            assert theirs.token_to_id(name) == i
    theirs.add_special_tokens([*tok.special_tokens])
    text = "".join(f"low {name}" for name in tok.special_tokens)
    assert (theirs.encode(text).ids, theirs.get_vocab_size()) == (tok.ids(text, specials=True), len(tok))

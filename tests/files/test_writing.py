"""Files: every one loaded by the library that it is for, and encoding to the same ids there."""

import json
import os
import stat
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
import regex
import tiktoken
import tiktoken.load
import tokenizers
from hypothesis import given

from bpe_core import FORMATS, NORMALIZERS, PRETOKENIZERS, UNKNOWN, FormatError, Settings, dumps, load, train
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

CORPUS = "".join(text[:3000] for text in EXAMPLE_TEXTS.values())
SPECIAL = ("<|end|>", "<|end|><|end|>", "<|endoftext|>")
APART = SPECIAL[::2]  # none begins with another
LOSSLESS = [key for key, row in PRETOKENIZERS.items() if row.lossless]
WRITABLE = TEXTS.filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))


class Minbpe:
    """A reader of minbpe's model files, after their description: lines, and ids that count up from 256."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            assert file.readline().strip() == "minbpe v1"
            self.pattern = file.readline().strip()
            specials = [file.readline().strip().split() for _ in range(int(file.readline().strip()))]
            self.specials = {name: int(i) for name, i in specials}
            self.merges = {tuple(map(int, line.split())): 256 + k for k, line in enumerate(file)}

    def encode(self, text):
        if not self.specials:
            return self.encode_ordinary(text)
        ids = []
        for part in regex.split("(" + "|".join(map(regex.escape, self.specials)) + ")", text):
            ids += [self.specials[part]] if part in self.specials else self.encode_ordinary(part)
        return ids

    def encode_ordinary(self, text):
        return [i for chunk in regex.findall(self.pattern, text) for i in self.encode_chunk(list(chunk.encode()))]

    def encode_chunk(self, ids):
        while len(ids) > 1:
            pair = min(pairwise(ids), key=lambda pair: self.merges.get(pair, 1 << 40))
            if pair not in self.merges:
                break
            joined, i = [], 0
            while i < len(ids):
                fits = tuple(ids[i : i + 2]) == pair
                joined.append(self.merges[pair] if fits else ids[i])
                i += 1 + fits
            ids = joined
        return ids


def in_tokenizers(path):
    loaded = tokenizers.Tokenizer.from_file(str(path))
    unknown = loaded.model.unk_token and loaded.token_to_id(loaded.model.unk_token)
    return lambda text: [UNKNOWN if i == unknown else i for i in loaded.encode(text).ids]


def in_vocab_merges(path):
    loaded = tokenizers.ByteLevelBPETokenizer(str(path), str(path.with_name("merges.txt")))
    return lambda text: loaded.encode(text).ids


def in_tiktoken(path):
    beside = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
    loaded = tiktoken.Encoding("ours", mergeable_ranks=tiktoken.load.load_tiktoken_bpe(str(path)), **beside)
    return lambda text: loaded.encode(text, allowed_special="all")


THEIRS = {
    "tokenizer.json": in_tokenizers,
    "vocab.json + merges.txt": in_vocab_merges,
    ".tiktoken": in_tiktoken,
    "minbpe": lambda path: Minbpe(path).encode,
}
CARRIED = [
    *(("tokenizer.json", key, alphabet, SPECIAL) for key in PRETOKENIZERS for alphabet in ("bytes", "characters")),
    ("tokenizer.json", "gpt2", "bytes", ()),
    ("vocab.json + merges.txt", "gpt2", "bytes", ()),
    *((".tiktoken", key, "bytes", APART) for key in LOSSLESS),
    (".tiktoken", "gpt2", "bytes", ()),
    *(("minbpe", key, "bytes", SPECIAL) for key in PRETOKENIZERS),
    ("minbpe", "gpt2", "bytes", ()),
]


def carried_run(key, alphabet, special):
    return train(CORPUS, Settings(key, alphabet, vocab_size=900, special_tokens=special))


@pytest.mark.parametrize(("name", "key", "alphabet", "special"), CARRIED)
def test_the_library_encodes_to_the_same_ids(tmp_path, name, key, alphabet, special):
    run = carried_run(key, alphabet, special)
    for step in (0, 100, run.steps):
        tok = run.tokenizer(step)
        folder = tmp_path / str(step)
        folder.mkdir()
        encode = THEIRS[name](tok.save(folder, name)[0])

        for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE, "a<|end|><|end|>b<|end|>c"]:
            assert encode(text) == tok.ids(text)

    @given(WRITABLE)
    def compare(text):
        assert encode(text) == tok.ids(text)

    compare()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("rule", ["first-seen", "corpus-order", "greatest", "lowest-id", "hugging-face"])
def test_every_tie_rule_and_forced_merges(tmp_path, name, rule):
    chosen = Settings(tie_rule=rule, vocab_size=600, forced={3: (b"z", b"e")})
    tok = train(CORPUS, chosen).tokenizer()
    encode = THEIRS[name](tok.save(tmp_path, name)[0])
    for text in EXAMPLE_TEXTS.values():
        assert encode(text) == tok.ids(text)


REFUSED = [
    ("tokenizer.json", Settings("whitespace", word_marker="end"), "no word marker that is a symbol of its own"),
    ("tokenizer.json", Settings("custom", pattern=r"\w+|\W"), "a custom pattern may split otherwise"),
    ("tokenizer.json", Settings(special_tokens=("q",)), "'q' is written like an ordinary token"),
    ("tokenizer.json", Settings(special_tokens=("\ud800",)), "half a character"),
    ("vocab.json + merges.txt", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    (".tiktoken", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    ("minbpe", Settings(normalizers=("nfc",)), "cannot say that the text is normalized"),
    ("vocab.json + merges.txt", Settings("cl100k"), "read with GPT-2's pretokenizer"),
    ("vocab.json + merges.txt", Settings(special_tokens=("<s>",)), "cannot say which tokens are special"),
    ("vocab.json + merges.txt", Settings(alphabet="characters"), "this vocabulary from characters"),
    (".tiktoken", Settings("whitespace"), "the pretokenizer “Whitespace” drops some"),
    (".tiktoken", Settings(alphabet="characters"), "this vocabulary from characters"),
    (".tiktoken", Settings(word_marker="start"), "no word marker"),
    (".tiktoken", Settings(special_tokens=("<a>", "<b>", "<a><b>")), "'<a><b>' begins with '<a>'"),
    (
        "tokenizer.json",
        Settings("whitespace", "characters", special_tokens=("é",), normalizers=("nfc",)),
        "'é' is a character that normalizing may make",
    ),
    ("minbpe", Settings(word_marker="end"), "no word marker"),
    ("minbpe", Settings(alphabet="characters"), "this vocabulary from characters"),
    ("minbpe", Settings(special_tokens=("a b",)), "which has white space"),
    ("minbpe", Settings("custom", pattern="(a)|b"), "groups"),
    ("minbpe", Settings("custom", pattern="a|\n"), "line break"),
    ("minbpe", Settings("custom", pattern="\ud800|."), "half a character"),
    ("nonsense", Settings(), "format 'nonsense' is unknown; choose one of tokenizer.json, "),
]


@pytest.mark.parametrize(("name", "chosen", "reason"), REFUSED)
def test_what_a_format_cannot_carry_is_refused_and_nothing_written(tmp_path, name, chosen, reason):
    tok = train(CORPUS, chosen).tokenizer()
    with pytest.raises(FormatError, match=reason) as caught:
        tok.save(tmp_path / "vocab.json", name)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("keys", [(key,) for key in NORMALIZERS] + [("nfkd", "strip-accents", "lowercase")])
@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
def test_normalizers_travel(tmp_path, keys, alphabet):
    chosen = Settings(normalizers=keys, alphabet=alphabet, vocab_size=900, special_tokens=SPECIAL)
    tok = train(CORPUS, chosen).tokenizer()
    path = tok.save(tmp_path)[0]
    encode = THEIRS["tokenizer.json"](path)
    for text in [
        *EXAMPLE_TEXTS.values(),
        *NASTY_UNICODE,
        "É<|end|>e\u0301<|END|>ﬁ",
        "ThÍs is  áN ExaMPlé     sÉnteNCE",
    ]:
        assert encode(text) == tok.ids(text)


def test_characters_that_no_file_can_hold():
    tok = train("\ud800a", Settings(alphabet="characters")).tokenizer()
    with pytest.raises(FormatError, match="half a character"):
        dumps(tok)


def test_minbpe_carries_patterns_of_the_user(tmp_path):
    tok = train(CORPUS, Settings("custom", pattern=r" ?\w+|\W ", vocab_size=400)).tokenizer()
    encode = Minbpe(tok.save(tmp_path, "minbpe")[0]).encode
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        assert encode(text) == tok.ids(text)


@pytest.mark.parametrize(
    ("name", "first", "others"),
    [
        ("tokenizer.json", "mine.json", []),
        ("vocab.json + merges.txt", "mine-vocab.json", ["mine-merges.txt"]),
        (".tiktoken", "mine.tiktoken", ["mine.tiktoken.json"]),
        ("minbpe", "mine.model", []),
    ],
)
def test_save_replaces_whole_files_and_leaves_nothing_else(tmp_path, name, first, others):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    (tmp_path / first).write_text("old")
    (tmp_path / first).chmod(0o640)
    written = tok.save(tmp_path / first, name)
    assert [path.name for path in written] == [first, *others]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([first, *others])
    assert [path.read_bytes() for path in written] == list(dumps(tok, name).values())
    assert stat.S_IMODE(written[0].stat().st_mode) == 0o640


def test_a_vocabulary_that_its_merges_cannot_be_found_from(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    with pytest.raises(FormatError, match=r"mine\.json has to end in vocab\.json"):
        tok.save(tmp_path / "mine.json", "vocab.json + merges.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    path = tmp_path / "tokenizer.json"
    path.write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        tok.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


PAIR = "vocab.json + merges.txt"


def test_a_pair_is_written_whole_or_not_at_all(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    (tmp_path / "vocab.json").write_text("old")
    (tmp_path / "merges.txt").mkdir()
    with pytest.raises(IsADirectoryError, match=r"/merges\.txt'$"):
        tok.save(tmp_path / "vocab.json", PAIR)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merges.txt", "vocab.json"]
    assert (tmp_path / "vocab.json").read_text() == "old"


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed(tmp_path, exists):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    target, link = tmp_path / "elsewhere" / "real.json", tmp_path / "link.json"
    target.parent.mkdir()
    if exists:
        target.write_text("old")
    link.symlink_to(target)
    tok.save(link)
    assert link.is_symlink()
    assert load(target).merges == tok.merges
    assert [path.name for path in target.parent.iterdir()] == ["real.json"]


def test_a_pipe_and_a_device_stay_what_they_are(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    tok.save(pipe)
    reader.join()
    assert read == list(dumps(tok).values())
    assert pipe.is_fifo()
    tok.save("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_what_cannot_be_written_is_called_by_its_own_name(tmp_path):
    tok = train("hug pug", Settings(vocab_size=258)).tokenizer()
    path = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="x" * 300):
        tok.save(path)
    with pytest.raises(OSError, match=r"/no/x\.json'$"):
        tok.save(tmp_path / "no" / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_two_formats_have_no_file_name_in_common():
    names = [name for row in FORMATS.values() for name in row.files]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("pattern", [r" ?\S+", r"\S+| ", r"(?: a)|(?:b )", r"(?: ?\S+)"])
def test_minbpes_brackets_around_a_pattern_come_off_again(tmp_path, pattern):
    tok = train(CORPUS, Settings("custom", pattern=pattern, vocab_size=300)).tokenizer()
    back = load(tok.save(tmp_path, "minbpe")[0])
    assert back.pretokenizer.pattern == (pattern if pattern != r"(?: ?\S+)" else r" ?\S+")


def test_a_row_without_a_spelling_is_refused_in_a_sentence(monkeypatch):
    row = replace(PRETOKENIZERS["whitespace"], title="New", rules=(("word", r"\S+|\s"),), hugging_face=None)
    monkeypatch.setitem(PRETOKENIZERS, "new", row)
    with pytest.raises(FormatError, match="have no pre_tokenizer like New"):
        dumps(train("low", Settings("new")).tokenizer(), "tokenizer.json")
    monkeypatch.setitem(NORMALIZERS, "new", replace(NORMALIZERS["nfc"], title="New", hugging_face=None))
    with pytest.raises(FormatError, match="have no normalizer like New"):
        dumps(train("low", Settings("none", normalizers=("new",))).tokenizer(), "tokenizer.json")

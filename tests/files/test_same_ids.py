"""Files: every one loaded by the library that it is for, and encoding to the same ids there."""

import json
from itertools import pairwise

import pytest
import regex
import tiktoken
import tiktoken.load
import tokenizers
from hypothesis import given

from bpe_core import FORMATS, NORMALIZERS, UNKNOWN, Settings, load, train
from tests.files.driver import CARRIED, CORPUS, SPECIAL, carried_run
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS

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


def test_minbpe_carries_patterns_of_the_user(tmp_path):
    tok = train(CORPUS, Settings("custom", pattern=r" ?\w+|\W ", vocab_size=400)).tokenizer()
    encode = Minbpe(tok.save(tmp_path, "minbpe")[0]).encode
    for text in [*EXAMPLE_TEXTS.values(), *NASTY_UNICODE]:
        assert encode(text) == tok.ids(text)


@pytest.mark.parametrize("pattern", [r" ?\S+", r"\S+| ", r"(?: a)|(?:b )", r"(?: ?\S+)"])
def test_minbpes_brackets_around_a_pattern_come_off_again(tmp_path, pattern):
    tok = train(CORPUS, Settings("custom", pattern=pattern, vocab_size=300)).tokenizer()
    back = load(tok.save(tmp_path, "minbpe")[0])
    assert back.pretokenizer.pattern == (pattern if pattern != r"(?: ?\S+)" else r" ?\S+")

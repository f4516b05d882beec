"""Two tokenizers side by side: each mutation of a file is found, with a text that its own library shows too."""

import json
from functools import cache
from itertools import combinations, count
from random import Random
from time import monotonic, sleep
from types import SimpleNamespace

import pytest
import sentencepiece
import tiktoken
import tokenizers
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from bpe_core import PRETOKENIZERS, PatternError, Settings, dumps, load, loads, same, train
from bpe_core.files.tiktoken_ranks import rank_lines
from bpe_core.sameness.chkhsh import chkhsh
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import PartState, moved
from bpe_core.sameness.search import Search
from tests.cli.driver import run
from tests.files.class_files import class_files
from tests.files.driver import CORPUS
from tests.gguf_files import sentencepiece_model

SECONDS = 30


@cache
def content():
    settings = Settings("gpt2", vocab_size=700, special_tokens=("<|end|>",))
    return dumps(train(CORPUS, settings).tokenizer())["tokenizer.json"]


def opened(raw):
    return loads({"tokenizer.json": raw})


def swapped(parts):
    """Exchange two merges of letters that want the same token: l + r, and r + x."""
    merges = parts["model"]["merges"]
    pairs = [tuple(each.split(" ")) if isinstance(each, str) else tuple(each) for each in merges]
    letters = [number for number, pair in enumerate(pairs) if "".join(pair).isascii() and "".join(pair).isalpha()]
    earlier, number = next((i, j) for i, j in combinations(letters, 2) if pairs[i][1] == pairs[j][0])
    merges[earlier], merges[number] = merges[number], merges[earlier]


def without_last_merge(parts):
    parts["model"]["merges"].pop()


def whole_words(parts):
    parts["model"]["merges"] = parts["model"]["merges"][:100]
    parts["model"]["ignore_merges"] = True


def other_ids(parts):
    vocabulary = parts["model"]["vocab"]
    vocabulary["a"], vocabulary["b"] = vocabulary["b"], vocabulary["a"]


def other_split(parts):
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    cut = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    parts["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, cut]}


def normalized(parts):
    parts["normalizer"] = {"type": "NFC"}


def replacing(parts):
    """A text that no search by kinds of characters, and hardly one by chance, comes upon."""
    parts["normalizer"] = {"type": "Replace", "pattern": {"String": "zqzq"}, "content": "y"}


def splitting(parts):
    split = {"type": "Split", "pattern": {"String": "hezq"}, "behavior": "Isolated", "invert": False}
    parts["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, parts["pre_tokenizer"]]}


def flagged(flag):
    def change(parts):
        parts["added_tokens"][0][flag] = not parts["added_tokens"][0][flag]

    return change


MUTATIONS = {
    "swapped": (swapped, "merges"),
    "without the last merge": (without_last_merge, "merges"),
    "whole words": (whole_words, "model"),
    "other ids": (other_ids, "vocabulary"),
    "split": (other_split, "split"),
    "normalization": (normalized, "normalization"),
    "a text that is replaced": (replacing, "normalization"),
    "a text at which is split": (splitting, "split"),
    **{flag: (flagged(flag), "special and added tokens") for flag in ("lstrip", "rstrip", "single_word", "special")},
}


LONG = ("lstrip", "rstrip", "single_word", "without the last merge", "special", "normalization", "whole words", "split")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in LONG else name for name in MUTATIONS]
)
def test_a_mutation_is_found_with_a_text_that_its_own_library_reads_differently(name):
    change, part = MUTATIONS[name]
    parts = json.loads(content())
    change(parts)
    mutated = json.dumps(parts).encode()
    found = same(opened(content()), opened(mutated), seconds=SECONDS)
    assert found.text is not None
    assert part in found.differing
    ids = []
    for raw in (content(), mutated):
        theirs = tokenizers.Tokenizer.from_buffer(raw)
        theirs.encode_special_tokens = not found.specials
        ids.append(tuple(theirs.encode(found.text, add_special_tokens=False).ids))
    assert ids[0] != ids[1]
    assert ids == [found.one_ids, found.other_ids]
    assert found.summary.startswith("They differ. The shortest text found is ")


def test_the_shortest_text_of_a_split_is_the_one_that_shows_it():
    parts = json.loads(content())
    other_split(parts)
    found = same(opened(content()), opened(json.dumps(parts).encode()), seconds=SECONDS)
    assert found.text is not None
    assert len(found.text) <= 4
    assert any(char.isdigit() for char in found.text)


def test_what_was_only_searched_is_never_called_the_same():
    found = same(opened(content()), opened(content()), seconds=1)
    assert found.text is None
    assert {part.state for part in found.parts} == {PartState.EQUAL}
    assert found.texts > 0
    assert found.summary == f"No difference found in {found.texts:,} texts; all parts that are compared are equal."


def test_a_vocabulary_and_its_own_file_differ_in_nothing_that_was_found():
    parts = same("gpt2", loads(dumps(load("gpt2"))), seconds=1)
    assert parts.text is None
    assert parts.differing == ()


def test_the_hash_of_llama_cpp():
    names = ("gpt2", "qwen", "tekken", "bert", "p50k_base")
    # The names are those of llama.cpp's table. Its last name for BERT's hash is Jina's; it has none for Codex.
    assert [chkhsh(load(name)).name for name in names] == [
        "gpt-2",
        "qwen2",
        "tekken",
        "jina-v2-en",
        "",
    ]


def test_the_moved_merges_are_the_fewest():
    chance = Random(1)
    for _ in range(60):
        size = chance.randint(1, 6)
        order = chance.sample(range(size), size)
        pairs = [(bytes([i]), b"x") for i in range(size)]
        found = moved({pair: i for i, pair in enumerate(pairs)}, dict(zip(pairs, order, strict=True)))
        ascending = (
            kept for kept in range(size, 0, -1) for part in combinations(order, kept) if list(part) == sorted(part)
        )
        assert len(found) == size - next(ascending)


@pytest.mark.thorough
def test_the_command(tmp_path):
    parts = json.loads(content())
    other_ids(parts)
    (tmp_path / "one.json").write_bytes(content())
    (tmp_path / "other.json").write_text(json.dumps(parts))
    names = [tmp_path / "one.json", tmp_path / "other.json"]
    done = run("same", *names)
    said = done.stdout.decode()
    assert (done.returncode, run("same", names[0], names[0]).returncode) == (1, 0)
    assert 'The shortest text found is "a".' in said
    found = json.loads(run("same", *names, "--json").stdout)
    assert found["text"] == "a"
    assert {part["part"]: part["text"] for part in found["parts"] if part["state"] != "equal"} == {"vocabulary": "a"}
    assert [len(side["chkhsh"]) for side in found["tokenizers"]] == [64, 64]
    done = run("same", names[0], tmp_path / "none.json")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


def test_a_saved_run_is_opened(tmp_path):
    trained = train("low low lower", Settings("gpt2", vocab_size=258))
    trained.save(tmp_path / "run.json")
    assert same(trained, str(tmp_path / "run.json"), seconds=0.5).differing == ()


class Slow:
    """A tokenizer whose every text takes a while; `refuses`: and is then refused."""

    def __init__(self, refuses=False):
        self.refuses = refuses

    def ids_batch(self, texts, *, specials):
        sleep(0.02 * len(texts))
        if self.refuses:
            raise PatternError("the pattern takes too long on this text; make it simpler")
        return [[len(text)] for text in texts]


@pytest.mark.parametrize("refuses", [False, True])
def test_slow_texts_and_slow_candidates_end_with_the_time(refuses):
    side = Composition(load("gpt2"))
    slow = SimpleNamespace(tokenizer=Slow(refuses), names=side.names, ids=side.ids, merges=side.merges)
    search = Search(slow, slow, seconds=0.5)
    began = monotonic()
    search.run([])
    endless = (text for text in map(str, count()) if not sleep(0.01))
    Search(side, side, seconds=0.3)._try("", endless, True)
    assert monotonic() - began < 4
    assert search.shortest is None
    assert search.texts < 200


def test_a_text_is_kept_if_no_time_is_left_to_shorten_it():
    search = Search(Composition(load("gpt2")), Composition(load("p50k_base")), seconds=60)
    compare = search._differing

    def the_last(texts, specials):
        found = compare(texts, specials)
        search._until = 0.0
        return found

    search._differing = the_last
    search._try("merges", ["a" * 30 + " " * 30], True)
    assert search.shortest == ("a" * 30 + " " * 30, True)


def pattern_changed(raw, old, new):
    parts = json.loads(raw)
    steps = parts["pre_tokenizer"]["pretokenizers"]
    assert old in steps[0]["pattern"]["Regex"]
    steps[0]["pattern"]["Regex"] = steps[0]["pattern"]["Regex"].replace(old, new)
    return json.dumps(parts).encode()


def test_swapped_ranks_and_another_pattern_differ_in_tiktoken_too():
    """A rank file has no more than its ranks: two of them exchanged, and its split changed."""
    tok = train(CORPUS, Settings("gpt2", vocab_size=600)).tokenizer()
    ranks = {token: i for i, token in enumerate(tok.tokens)}
    names = [b"he", b"the"] if b"the" in ranks else [*ranks][300:302]
    swapped = ranks | {names[0]: ranks[names[1]], names[1]: ranks[names[0]]}
    sides = [(ranks, "gpt2"), (swapped, "gpt2"), (ranks, "cl100k")]
    lines = [rank_lines(sorted(each.items(), key=lambda row: row[1])) for each, _ in sides]
    opened_ = [loads({"a.tiktoken": line}, cut) for line, (_, cut) in zip(lines, sides, strict=True)]
    theirs = [
        tiktoken.Encoding("x", pat_str=PRETOKENIZERS[cut].pattern, mergeable_ranks=each, special_tokens={})
        for each, cut in sides
    ]
    for other, part in ((1, "vocabulary"), (2, "split")):
        found = same(opened_[0], opened_[other], seconds=SECONDS)
        assert found.text is not None
        assert part in found.differing
        ids = [tuple(each.encode(found.text, disallowed_special=())) for each in (theirs[0], theirs[other])]
        assert ids == [found.one_ids, found.other_ids]
        assert ids[0] != ids[1]


def test_parts_that_are_written_otherwise_have_texts_that_show_their_differences():
    raw = sentencepiece_model("bpe", "identity")
    found = same(loads({"tokenizer.model": raw}), opened(content()), seconds=SECONDS)
    parts = {part.name: part for part in found.parts if part.state is PartState.OTHERWISE}
    assert parts.keys() == {"merges", "normalization", "split"}
    assert all(part.text for part in parts.values())


def test_another_option_of_a_model_differs_in_sentencepiece_too():
    """Of a `tokenizer.model`: a prefix space that is not added, and white space that is kept."""
    raw = sentencepiece_model("bpe", "identity")
    theirs = sentencepiece.SentencePieceProcessor(model_proto=raw)
    for option in ("add_dummy_prefix", "remove_extra_whitespaces"):
        proto = ModelProto.FromString(raw)
        setattr(proto.normalizer_spec, option, not getattr(proto.normalizer_spec, option))
        changed = proto.SerializeToString()
        found = same(loads({"tokenizer.model": raw}), loads({"tokenizer.model": changed}), seconds=SECONDS)
        assert found.text is not None, option
        assert "normalization" in found.differing
        other = sentencepiece.SentencePieceProcessor(model_proto=changed)
        ids = [tuple(each.encode(found.text)) for each in (theirs, other)]
        assert ids == [found.one_ids, found.other_ids]
        assert ids[0] != ids[1]


def test_an_answer_has_what_is_assumed_about_both_sides(tmp_path):
    for name, raw in class_files("GPT2Tokenizer").items():
        if "config" not in name:
            (tmp_path / name).write_bytes(raw)
    found = same(tmp_path, "gpt2", seconds=1)
    assert found.assumptions == (load(tmp_path).assumptions, ())
    assert found.assumptions[0]
    sides = json.loads(run("same", tmp_path, "gpt2", "--json", "--quiet").stdout)["tokenizers"]
    assert [side["assumptions"] for side in sides] == [[*found.assumptions[0]], []]


def test_the_command_draws_the_mark_of_a_word_unlike_a_typed_one(tmp_path):
    for name, text in (("one", "low_ low_ low"), ("other", "low_ low low")):
        run_of = train(text, Settings("whitespace", "characters", "end", vocab_size=10))
        run_of.save(tmp_path / f"{name}.json")
    shown = run("same", tmp_path / "one.json", tmp_path / "other.json").stdout.decode()
    assert "Ġ" in shown

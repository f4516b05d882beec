"""Corpora in chunks: however a corpus is read and whoever counts it, it is the same corpus."""

from collections import Counter
from io import BytesIO
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import PRETOKENIZERS, TIE_RULES, Settings, TextFile, train
from bpe_core.corpus import counting, text_batches, text_files
from bpe_core.corpus.counting import WordCounts, count_pretokens
from bpe_core.corpus.sources import count_sources
from bpe_core.corpus.text_batches import batches, chunks, last_boundary
from bpe_core.corpus.workers import ClusterError, connected
from bpe_core.text import pretoken_arrays
from bpe_core.text.class_rules import ClassRules
from bpe_core.text.special_tokens import segments
from tests.clusters import local_cluster
from tests.some import only
from tests.texts import EXAMPLE_TEXTS, NASTY, SPACED, TEXTS

ROOT = Path(__file__).parents[2]
SPECIALS = ("<s>", "<s> <s>", " a", "aba", "\n\n")
UNITS = ["a", "B", "1", ".", "'s", "/", "$", " ", "\n", "\r", "\t", "\u0301", "\u3000"]
MIXED = st.lists(st.sampled_from([*UNITS, "<s>", "ab", "\u00e9", "\U0001f600"]), max_size=40).map("".join)
STORY = "\n".join(EXAMPLE_TEXTS.values())


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("key", [key for key, row in PRETOKENIZERS.items() if row.boundary])
def test_a_text_comes_apart_at_every_boundary(key, size):
    """All texts of this number of units; five were tried once."""
    row = PRETOKENIZERS[key]
    place, seen = regex.compile(row.boundary), 0
    for units in product(UNITS, repeat=size):
        text = "".join(units)
        for match in place.finditer(text):
            left, right = text[: match.start()], text[match.start() :]
            assert row.strings(left) + row.strings(right) == row.strings(text), (left, right)
            seen += 1
    assert seen, f"none of these texts has a boundary of {key}: UNITS needs what it is made of"


def pretokens_of(text, chosen):
    """The pretokens of a text, one after the other."""
    ordinary = (piece for piece, _, special in segments(text, chosen.special_tokens) if not special)
    return [pretoken for piece in ordinary for pretoken in chosen.splitter.strings(piece)]


@pytest.mark.parametrize("specials", [(), SPECIALS])
@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_chunks_have_the_pretokens_of_the_whole(key, specials):
    chosen = Settings(key, special_tokens=specials)

    @given(MIXED | SPACED | TEXTS | st.sampled_from(NASTY), st.integers(1, 12))
    def check(text, size):
        parts = [piece for piece, _ in chunks(text, chosen, size)]
        assert "".join(parts) == text
        assert [pretoken for part in parts for pretoken in pretokens_of(part, chosen)] == pretokens_of(text, chosen)
        assert sum(share for _, share in chunks(text, chosen, size)) == len(text)

    check()


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(text_batches, "CHUNK", 20)
    monkeypatch.setattr(text_files, "BLOCK", 7)
    monkeypatch.setattr(pretoken_arrays, "CHUNK", 10)


@pytest.mark.parametrize("key", PRETOKENIZERS)
def test_counts_and_order_of_a_file_are_those_of_the_whole_text(key, small_chunks):
    chosen = Settings(key, special_tokens=("<s>",))

    @given(MIXED | SPACED)
    def check(text):
        raw = text.encode("utf-8")
        whole = Counter(pretokens_of(text, chosen))
        assert list(count_pretokens(TextFile("x", BytesIO(raw)), chosen).items()) == list(whole.items())
        assert list(count_pretokens([text], chosen).items()) == list(whole.items())

    check()


def test_batches_hold_the_corpus_in_order_and_little_of_it_each(small_chunks):
    texts = ["one", "", "two", "three four. " * 9, "", "five six. " * 9, "seven", *["e"] * 50]
    corpus = [TextFile("x", BytesIO(text.encode())) if text.startswith("five") else text for text in texts]
    found = list(batches(corpus, Settings()))
    assert "".join(text for batch, _ in found for text in batch) == "".join(texts)
    assert sum(share for _, share in found) == len("".join(texts))
    assert max(sum(map(len, batch)) for batch, _ in found) < 60


def test_chunks_are_small_where_there_are_boundaries(small_chunks):
    for key, row in PRETOKENIZERS.items():
        lengths = [len(piece) for piece, _ in chunks("one 1, two.\n" * 500, Settings(key))]
        assert max(lengths) < 60 or (not row.boundary and len(lengths) == 1)


def test_a_text_without_a_boundary_is_held_whole_and_looked_at_few_times(monkeypatch):
    looks = []

    def looked(text, how):
        looks.append(len(text))
        return last_boundary(text, how)

    monkeypatch.setattr(text_batches, "last_boundary", looked)
    text = "a" * 100_000 + " b" * 10
    assert "".join(piece for piece, _ in chunks(text, Settings(), 100)) == text
    assert len(looks) < 30


@pytest.fixture
def passes(monkeypatch):
    """How many characters each pass over arrays took."""
    taken: list[int] = []

    def begins(rules, chunk, plain=ClassRules.begins):
        taken.append(len(chunk.text))
        return plain(rules, chunk)

    monkeypatch.setattr(ClassRules, "begins", begins)
    monkeypatch.setattr(text_batches, "CHUNK", 5000)
    monkeypatch.setattr(pretoken_arrays, "CHUNK", 1000)
    return taken


def test_short_texts_take_as_few_passes_as_a_long_one(passes):
    lines = [f"line {number} of a text\n" for number in range(2000)]
    count_pretokens("".join(lines), Settings())
    long = len(passes)
    for texts in (lines, iter(lines), [TextFile("x", BytesIO(line.encode())) for line in lines]):
        passes.clear()
        count_pretokens(texts, Settings())
        assert len(passes) < 1.3 * long
        assert max(passes) < 2000


def test_special_tokens_take_no_passes_of_their_own(passes):
    count_pretokens("a " * 20_000, Settings(special_tokens=("a",)))
    assert len(passes) < 60


def test_many_tables_are_added_up_in_a_few_looks_at_each(monkeypatch):
    """Tables without words too: any number waits."""
    looks = []

    class Words(list):
        def __len__(self):
            looks.append(1)
            return super().__len__()

    monkeypatch.setattr(counting, "added_up", lambda tables: WordCounts(Words(), np.zeros(0, int)))
    for tables in (500, 1000):
        looks.clear()
        counting.total(WordCounts(Words(), np.zeros(0, int)) for _ in range(tables))
        assert len(looks) < 3 * tables


def merges_of(texts, chosen, **how):
    run = train(texts, chosen, **how)
    return run.merges, run.pretokens, run.pretoken_counts.tolist()


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as local:
        yield local.scheduler_address


@pytest.mark.parametrize("rule", only(TIE_RULES, "first-seen", "corpus-order"))
def test_the_same_corpus_gives_the_same_merges_however_it_is_counted(rule, cluster, tmp_path, monkeypatch):
    chosen = Settings("gpt2", tie_rule=rule, vocab_size=400, special_tokens=("dog",))
    whole = merges_of(STORY, chosen)
    assert whole[0]
    monkeypatch.setattr(text_batches, "CHUNK", 5000)
    path = tmp_path / "story.txt"
    path.write_bytes(STORY.encode())
    monkeypatch.setattr(text_files, "BLOCK", 3000)
    ways = {
        "in chunks": merges_of(STORY, chosen),
        "a generator": merges_of((text for text in [STORY]), chosen),
        "a file": merges_of(TextFile(path), chosen),
        "a stream": merges_of(TextFile("-", BytesIO(STORY.encode())), chosen),
        "threads": merges_of(TextFile(path), chosen, workers=3),
        "dask": merges_of(TextFile(path), chosen, dask=cluster),
    }
    assert {name for name, way in ways.items() if way != whole} == set()
    lines = STORY.splitlines()
    counts = Counter(pretoken for line in lines for pretoken in pretokens_of(line, chosen))
    by_line = merges_of(iter(lines), chosen)
    assert dict(zip(*by_line[1:], strict=True)) == counts
    assert merges_of(lines, chosen, workers=3) == merges_of(lines, chosen, dask=cluster) == by_line


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_grows_to_the_size_of_the_corpus(tmp_path, monkeypatch, workers):
    monkeypatch.setattr(text_batches, "CHUNK", 5000)
    path = tmp_path / "story.txt"
    path.write_bytes(STORY.encode())
    empty, size = tmp_path / "empty.txt", path.stat().st_size
    empty.touch()
    known = (TextFile(path), [TextFile(empty), TextFile(path)])
    for texts, size in (*((texts, size) for texts in known), ((text for text in [STORY]), 0)):
        seen = []
        count_pretokens(texts, Settings(), lambda *report, seen=seen: seen.append(report), workers)
        done = [part for _, part, _ in seen]
        assert done == sorted(done)
        assert {total for _, _, total in seen} == {size}
        assert done[-1] == size if size else done[-1] >= len(STORY)


def test_an_empty_source_hides_no_size(tmp_path):
    (tmp_path / "empty.txt").touch()
    seen = []
    sources = {"one": "low " * 100_000, "two": TextFile(tmp_path / "empty.txt")}
    count_sources(sources, Settings(), lambda *report: seen.append(report))
    assert seen[-1] == ("counting", 400_000, 400_000)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "nope://127.0.0.1:9", ""])
def test_no_cluster_at_an_address(monkeypatch, address):
    monkeypatch.setattr("bpe_core.corpus.workers.CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=f"there is no Dask cluster at {address}: "), connected(address):
        pass


def test_a_cluster_without_workers():
    with local_cluster(0) as local, pytest.raises(ClusterError, match="has no workers"):
        count_pretokens("low", Settings(), dask=local.scheduler_address)

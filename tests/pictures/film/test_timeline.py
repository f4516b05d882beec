"""What a film shows of a training in stages, besides the steps of one."""

import json
import zlib
from base64 import b64decode
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.pictures.film.film_side import LONG, RunSide
from bpe_core.pictures.film.start_side import StartSide
from bpe_core.pictures.film.timeline import Block, Timeline, timeline
from bpe_core.pictures.saved.saved_page import film
from bpe_core.pictures.shared.training_in_words import first_sentence, start_title, unmerged
from bpe_core.record.frames import freed_pairs
from bpe_core.record.start_merges import start_merges

SCENE = "to be, to be or not to be, not to be or to be\n'stuff 'stuff is's\n"
STAGED = Settings(vocab_size=268, then_across_words_from=260)


def test_a_timeline_has_all_stages_but_the_one_shown_and_what_training_started_from():
    run = train(SCENE, STAGED)
    press = "Press to step through this stage."
    first, last = Block("Within words", "4 merges", 0, 4, 0, press), Block("Across words", "8 merges", 4, 12, 1, press)
    assert timeline(run, 1) == Timeline("across words", (first,), ())
    assert timeline(run, 0) == Timeline("within words", (), (last,))
    assert timeline(run.until(0), 0) is None
    grown = train("The parrot", Settings(vocab_size=50_258), start=load("gpt2"))
    new = Block("New merges", "1 merge", 0, 1, 1, press)
    about = "The 7 of the start's 50,000 merges that this text needs: press to step through them."
    assert timeline(grown, 0) == Timeline("merges of the start", (), (new,))
    assert timeline(grown, 1) == Timeline("new merges", (Block("The start", "7 of 50,000", 0, 7, 0, about),), ())


@pytest.mark.parametrize("start", ["gpt2", "qwen"])
def test_the_merges_of_a_start_that_words_need_make_its_tokens_of_them_in_the_order_of_their_ranks(start):
    size = load(start).vocab_size
    run = train(f"{SCENE} The parrot’s parrots: 日本 🦜 12345", Settings(vocab_size=size, start=start))
    found = start_merges(run.stages[0])
    assert found.words(found.steps) == run.words(0)
    assert list(found.ranks) == sorted(set(found.ranks))
    for rank, merge in zip(found.ranks, found.merges, strict=True):
        left, right, made = run.start.merges[rank - 1]
        assert merge[:3] == (run.start.tokens[left], run.start.tokens[right], run.start.tokens[made])
    frames = StartSide(found, start_title(run), "").chunk(0)["frames"]
    assert frames[0]["sentence"] == [
        f"{unmerged('word')} The merges of {start_title(run)} that this text needs follow."
    ]
    assert frames[1]["sentence"][0] == f"Merge {found.ranks[0]:,} of {start_title(run)} joined "
    assert not any(frame["tie"] or frame["tied"] for frame in frames)


def test_a_saved_film_opens_in_the_stage_of_its_step_or_in_the_stage_that_is_asked_for():
    def opened(page):
        data = page.html.partition('id="data">')[2].partition("</script>")[0]
        content = json.loads(zlib.decompress(b64decode(data)))
        return content["open"], content["films"][content["open"]]["data"]["step"]

    run = train(SCENE, STAGED)
    assert [opened(film(run, step)) for step in (0, 3, 4, 12)] == [(0, 0), (0, 3), (1, 4), (1, 12)]
    assert opened(film(run, 4, stage=0)) == (0, 4)
    grown = train("The parrot", Settings(vocab_size=50_258, start="gpt2"))
    assert [opened(film(grown, 7, stage=0)), opened(film(grown))] == [(0, 7), (1, 0)]
    with pytest.raises(ValueError, match="it has steps 0 to 12"):
        film(run, 13)


@settings(max_examples=40)
@given(st.text("ab' .\n", max_size=30), st.integers(256, 260), st.sampled_from(["line", "none"]))
def test_walls_are_where_words_of_the_stage_before_began_unless_an_older_merge_has_joined_across(text, size, split):
    chosen = Settings("gpt2", vocab_size=270, then_across_words_from=size, then_split_by=split)
    run = train(text, chosen)
    for row, pretoken in enumerate(run.pretokens):
        tokens = run.stages[1].words(0, [row])[0][0]
        words = run.stages[0].settings.splitter.strings(pretoken)
        begins = {len("".join(words[:i])) for i in range(1, len(words))}
        symbols = [i for i in range(1, len(tokens)) if len(b"".join(tokens[:i])) in begins]
        assert RunSide(run, "").walls([row]).get(row, []) == symbols


@pytest.mark.parametrize("split", ["line", "none"])
def test_freed_pairs_are_those_that_the_second_stage_has_and_the_first_had_not(split):
    run = train(SCENE, Settings(vocab_size=268, then_across_words_from=260, then_split_by=split))
    first, second = run.stages
    had = {pair[:2] for pair in first.pair_counts(first.steps)}
    has = [pair[:2] for pair in second.pair_counts(0)]
    freed = {(run.tokens[left], run.tokens[right]) for left, right in freed_pairs(first, second).tolist()}
    assert freed == {*has} - had
    assert f"and {len(freed)} pairs that were blocked are candidates now." in first_sentence(run, 1)
    frames = RunSide(run, "").chunk(0)["frames"]
    assert [pair in freed for pair in has[:15]] == [i in frames[0]["freed"] for i in range(len(has[:15]))]
    assert not frames[1]["freed"]
    assert not RunSide(run, "", stage=0).chunk(0)["frames"][0]["freed"]


def test_of_a_line_without_end_the_walls_of_what_travels_are_found():
    run = train("it's so, " * 2000, Settings(vocab_size=258, then_across_words_from=257))
    side, symbols = RunSide(run, ""), run.stages[1].words(0, [0])[0][0]
    begins = {sum(map(len, symbols[:i])) for i in range(LONG)}
    words = run.stages[0].settings.splitter.strings(run.pretokens[0])
    ends = [end for end in accumulate(map(len, words)) if end in begins]
    assert len(side.walls([0])[0]) == len(ends) > LONG / 4
    assert max(side.walls([0])[0]) < LONG == len(side.words([0])[0][2])

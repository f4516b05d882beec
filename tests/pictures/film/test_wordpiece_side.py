"""The film of a WordPiece training: its frames and its sentences have the merges of the run."""

import pytest

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from bpe_core.pictures.film.film_side import CHUNK
from bpe_core.pictures.film.wordpiece_side import WordPieceSide, fraction
from bpe_core.pictures.shared.token_text import token_text
from tests.texts import EXAMPLE_TEXTS, example_text

GUIDE = train_models(example_text("cats-eat"), Settings("whitespace", "characters", vocab_size=30))
STORY = train_models(EXAMPLE_TEXTS["short-story"], Settings("gpt2", "characters", vocab_size=300))


def written(run, pieces):
    """Pieces of a sentence as text."""
    return "".join(p if isinstance(p, str) else token_text(run.tokens[p["token"]], "##") for p in pieces)


def said(run, step):
    frame = WordPieceSide(run).chunk(step // CHUNK)["frames"][step % CHUNK]
    return f"{written(run, frame['sentence'])} {written(run, frame['ahead'])}"


@pytest.mark.parametrize("run", [GUIDE.wordpiece, STORY.wordpiece], ids=["guide", "story"])
def test_every_frame_of_wordpiece_is_the_run(run):
    side = WordPieceSide(run)
    for step in range(run.steps + 1):
        frame = side.chunk(step // CHUNK)["frames"][step % CHUNK]
        best, following = run.scores(step, 15), run.merges[step][:2] if step < run.steps else None
        assert [(run.tokens[a], run.tokens[b], score, label) for a, b, score, _, label in frame["bars"]] == [
            (pair.left, pair.right, float(pair.score), fraction(pair)) for pair in best
        ]
        roles = [bar[3] for bar in frame["bars"]]
        assert roles == [
            "next" if pair[:2] == following else "tied" if following and pair.score == best[0].score else "other"
            for pair in best
        ]
        assert ("next" in roles[:1]) == (step < run.steps)
        assert [(run.tokens[a], run.tokens[b], n, role) for a, b, n, role in frame["others"][0]] == [
            (*pair, "next" if pair[:2] == following else "other") for pair in run.pair_counts(step, 15)
        ]


def test_a_chosen_word_shows_the_scores_of_its_pairs_and_a_pair_its_words():
    side, run = WordPieceSide(GUIDE.wordpiece), GUIDE.wordpiece
    bars = side.focus(1, None, run.pretokens.index("cat"))["bars"]
    assert [(run.tokens[a], run.tokens[b], label) for a, b, _, _, label in bars] == [
        (b"c", b"\xffa", "7 / (7 · 20) = 0.05"), (b"\xffa", b"\xfft", "20 / (20 · 20) = 0.05"),
    ]  # fmt: skip
    pair = side.focus(1, [run.ids[b"c"], run.ids[b"\xffa"]], None)
    assert [run.pretokens[row] for row in pair["rows"]] == ["cat", "cats"]


def test_why_the_best_score_is_not_the_best_count():
    assert said(GUIDE.wordpiece, 1) == (
        "Step 1 joined ##m + ##p → ##mp, score 1 / (1 · 1) = 1. Next: r + ##u, score 2 / (2 · 3) = 0.333. "
        "The most frequent pair, ##a + ##t, is seen 20 times, but its halves 20 and 20 times, so its score "
        "is only 20 / (20 · 20) = 0.05."
    )
    assert "2 other pairs had that score; the one seen first in the text was joined." in said(GUIDE.wordpiece, 2)
    assert said(GUIDE.wordpiece, 14).endswith("The vocabulary has the 30 tokens asked for.")
    models = train_models("ab ab", Settings("whitespace", "characters", vocab_size=3))
    assert said(models.wordpiece, 0).endswith("No pair is more frequent.")
    pugs = train_models(example_text("hug-pug-pun"), Settings("whitespace", "characters", vocab_size=10)).wordpiece
    assert said(pugs, 1).endswith("and has the same score; the pair seen first in the text is joined.")

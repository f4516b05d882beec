"""The Algorithms page: its views over good and bad input, and what its parts say."""

import pytest

from bpe_core import Settings
from bpe_core.display.token_text import token_text
from bpe_core.models.all_models import train_models
from pages.parts.algorithms import model_tables, unigram_rounds, wordpiece_sentence
from pages.parts.algorithms.algorithm_views import VIEWS
from pages.parts.algorithms.wordpiece_sentence import fraction
from pages.parts.algorithms.wordpiece_side import WordPieceSide
from pages.parts.film.side import CHUNK
from pages.parts.session import state
from pages.parts.session.corpora import example
from pages.parts.session.examples import EXAMPLES
from tests.pages.driver import choose, film, go, html, key_of, link, open_page, problems, type_text, typed
from tests.texts import NASTY, NASTY_PAGES, NASTY_UNICODE

PAGE = "pages/algorithms.py"
PROBLEM = 'class="problem"'
GUIDE = train_models(example("cats-eat").text, Settings("whitespace", "characters", vocab_size=30))
STORY = train_models(example("short-story").text, Settings("gpt2", "characters", vocab_size=300))


def plain(markup: str) -> str:
    """HTML without its tags."""
    return "".join(part.split(">", 1)[-1] for part in markup.split("<")).replace("&lt;", "<")


# --- the parts ---


def written(run, pieces):
    """Pieces of a sentence as text."""
    return "".join(token_text(run.tokens[p[0]], "##") if isinstance(p, list) else p for p in pieces)


def said(run, step):
    frame = WordPieceSide(run).chunk(step // CHUNK)["frames"][step % CHUNK]
    return f"{written(run, frame['said'])} {written(run, frame['ahead'])}"


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
        "The most frequent pair, ##a + ##t, is seen 20 times, but so are its halves: 20 / (20 · 20) = 0.05."
    )
    assert "2 other pairs had that score; the one seen first in the text was joined." in said(GUIDE.wordpiece, 2)
    assert said(GUIDE.wordpiece, 14).endswith("The vocabulary has the 30 tokens asked for.")
    models = train_models("ab ab", Settings("whitespace", "characters", vocab_size=3))
    assert said(models.wordpiece, 0).endswith("No pair is more frequent.")
    pugs = train_models(example("hug-pug-pun").text, Settings("whitespace", "characters", vocab_size=10)).wordpiece
    assert said(pugs, 1).endswith("and has the same score; the pair seen first in the text is joined.")


def test_the_file_of_merges_is_the_run():
    rows = wordpiece_sentence.history(GUIDE.wordpiece)
    assert rows["token"].tolist()[:6] == ["##mp", "ru", "ju", "jump", "jumpi", "##in"]
    assert (rows["score"] == rows["count"] / (rows["count of left"] * rows["count of right"])).all()


def test_the_sentence_under_each_model():
    shown = plain(model_tables.sentence(GUIDE, "eating jumper skiing"))
    assert "WordPiecejoins the pair with the best score6 tokens2 words unknowne##a##t##ing" in shown
    assert "##ing jumper[UNK] after jump skiing[UNK]" in shown
    assert "sk[UNK]iing" in shown
    assert model_tables.pieces(GUIDE.by_name["unigram"], "s🦜t") == [(b"s", True), ("🦜".encode(), False), (b"t", True)]


def test_results_and_overlap():
    rows = model_tables.results(GUIDE, "eating jumper skiing").set_index("model")
    assert rows["vocabulary"].tolist() == [30, 30, 30, 7, 16]
    assert rows["To tokenize: unknown words"].tolist() == [1, 2, 1, 2, 1]
    assert rows.loc["Words", "Your text: tokens per known word"] == 1
    assert (
        rows.loc["WordPiece", "To tokenize: tokens per known word"] == 4
    )  # e ##a ##t ##ing: the other words are unknown
    assert rows.loc["BPE", "To tokenize: tokens per known word"] == (2 + 5) / 2  # eat ing, jump in five
    none = model_tables.results(GUIDE, "xyz")["To tokenize: tokens per known word"]
    assert none.isna().all()
    shared = model_tables.overlap(GUIDE).set_index("of the tokens of")
    assert all(shared.loc[name, name] == 100 for name in shared.columns)
    assert shared.loc["Characters", "BPE"] == 100
    assert shared.loc["Words", "WordPiece"] == 29  # running, jumping
    assert len(model_tables.vocabulary_table(GUIDE)) == 30 * 3 + 7 + 16


def test_two_ways_are_shown_where_they_differ():
    tokenizer = STORY.by_name["bpe"]
    differing = model_tables.two_ways(tokenizer, STORY.counts)
    assert "Then" in differing
    rows = model_tables.ways_table(tokenizer, differing).set_index("word")
    assert rows.loc["Then"].tolist() == ["T hen", "The n"]
    assert (rows["in merge order"] != rows["by longest match"]).all()
    assert all("differ in" in model_tables.ways_said(STORY, tokenizer, 432, n) for n in (1, 42))
    assert not model_tables.two_ways(GUIDE.by_name["bpe"], GUIDE.counts)
    assert plain(model_tables.both_ways(tokenizer, ["Then"], (), "words")) == "In merge orderBy longest matchThenThen"
    marked = model_tables.both_ways(tokenizer, ["it", "Then"], ["Then"], "words")
    assert marked.count("differs") == 1
    assert marked.index(">it<") < marked.index("differs")


def test_two_ways_are_shown_on_a_story_where_ones_own_words_do_not_differ():
    assert "Where they differ: words of “A short story”" in html(open_page(PAGE, view="encode"))
    assert "Where they differ" not in html(open_page(PAGE, view="encode", corpus="short-story"))


def test_an_unknown_word_says_how_far_it_fits_and_a_long_one_that_it_is_long():
    piece = GUIDE.by_name["wordpiece"]
    assert model_tables.unknown(piece, "jumper")[1].startswith("fits as far as: jump;")
    assert model_tables.unknown(piece, "x")[1] == "no token fits its beginning, so the whole word is unknown"
    assert piece.encode_word("eat" + "t" * 97) != (-1,)
    assert 'title="longer than 100 characters: WordPiece gives up"' in model_tables.segmented(piece, "eat" + "t" * 98)
    assert "longer than 100 characters" in model_tables.FIGURES["Your text: unknown words"]
    assert 'title="not in the vocabulary"' in model_tables.segmented(GUIDE.by_name["bpe"], "xat")


def test_ways_to_segment_show_what_is_unknown():
    model = train_models("aaaa", Settings("whitespace", "characters", vocab_size=22)).unigram.model()
    shown = unigram_rounds.ways(model, "eating")
    assert plain(shown).endswith("e[UNK]at[UNK]i[UNK]n[UNK]g[UNK]")
    assert shown.count("plain") == 5
    assert unigram_rounds.ways_said(model, "eating").endswith(
        "5 characters are not in the vocabulary: each is unknown by itself."
    )


def test_a_round_of_unigram():
    models = train_models(example("cats-eat").text, Settings("whitespace", "characters", vocab_size=22))
    run = models.unigram
    assert "Round 4 pruned 2 of 24 tokens" in unigram_rounds.said(run, 4)
    assert "1 word is segmented in another way. The vocabulary has the 22" in unigram_rounds.said(run, 4)
    assert unigram_rounds.pruned(run, 4).rows.values.tolist() == [
        ["eating", 3.54, 3, "eat  ing"],
        ["runn", 0, 0, "r  u  n  n"],
    ]
    assert unigram_rounds.pruned(run, 0).total == 0
    assert unigram_rounds.free(run, 4) == "Loss 0 (1 of 2 tokens): no word used it."
    assert not unigram_rounds.free(run, 0)
    assert plain(unigram_rounds.words(run, 4)).startswith("3 ×eating before: eating10 ×eat")
    assert unigram_rounds.vocabulary(run, 4).rows["probability"].sum() == pytest.approx(1)
    assert unigram_rounds.figures(run)["vocabulary"].tolist() == [60, 45, 33, 24, 22]
    assert unigram_rounds.ways_said(run.model(0), "eating").startswith("The best 8 of 32 ways; together ")
    assert unigram_rounds.ways_said(run.model(4), "xat") == (
        "There is one way to segment this word. 1 character is not in the vocabulary: each is unknown by itself."
    )
    wanted = train_models("ab", Settings("whitespace", "characters", vocab_size=30)).unigram
    assert "only 2 tokens to offer, of the 30 asked for" in unigram_rounds.said(wanted, 0)


# --- the page ---


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("text", NASTY_PAGES)
def test_every_view_of_nasty_text(view, text):
    test = type_text(open_page(PAGE, view=view, vocab_size="1000"), text)
    assert not test.exception
    assert not problems(test)
    if view == "unigram":
        last = film(test)["stages"][0]["steps"]
        go(test, last, "algorithms", "film of rounds")
        assert not test.exception
        assert test.session_state["algorithms.round"] == last
    if view == "wordpiece":
        last = film(test)["stages"][0]["steps"]
        go(test, last, "algorithms", pair=[0, 0, 0])
        assert not test.exception
        assert test.session_state["algorithms.step"] == last


@pytest.mark.parametrize("view", ["compare", "unigram", "encode"])
def test_nasty_text_to_tokenize(view):
    test = open_page(PAGE, view=view)
    field = "algorithms.word" if view == "unigram" else "algorithms.sentence"
    for text in NASTY_UNICODE:
        test.text_input(key=key_of(test, field)).set_value(text[:40]).run()
        assert not test.exception, text
        assert not problems(test), text


def test_the_guides_fourteen_merges():
    expected = (
        "##m ##p,r ##u,j ##u,ju ##mp,jump ##i,##i ##n,ru ##n,run ##n,jumpi ##n,runn ##in,##in ##g,runnin ##g,"
        "jumpin ##g,f ##o"
    )
    halves = wordpiece_sentence.history(GUIDE.wordpiece)[["left", "right"]].values.tolist()
    assert [" ".join(pair) for pair in halves] == expected.split(",")
    test = open_page(PAGE, view="wordpiece", vocabulary="30", step="14")
    assert (film(test)["step"], film(test)["stages"][0]["steps"]) == (14, 14)


def test_steps_and_rounds_have_their_own_places():
    test = go(open_page(PAGE, view="wordpiece"), 6, "algorithms")
    assert link(test) == {"view": "wordpiece", "step": "6"}
    test = open_page(PAGE, view="unigram", step="6", round="2")
    assert film(test)["step"] == 2
    go(test, 3, "algorithms", "film of rounds")
    assert film(test)["chunks"][0][2]["frames"][3]["said"][0].startswith("Round 3 pruned 9 of 33 tokens")
    assert link(test) == {"view": "unigram", "step": "6", "round": "3"}


@pytest.mark.parametrize(
    ("query", "remark"),
    [
        ({"view": "secrets"}, "The link's “View” was left out: there is no such choice."),
        ({"view": "wordpiece", "step": "99"}, "There is no step 99: the last one is 6."),
        ({"view": "unigram", "round": "99"}, "There is no round 99: the last one is 4."),
        ({"view": "unigram", "round": "9", "vocabulary": "90"}, "There is no round 9: this run has no rounds."),
        ({"round": "-1"}, "The link's “round” was left out"),
        ({"vocabulary": "999999"}, "it is not a whole number from 1 to 10,000"),
        ({"word": "a" * 41}, "it is longer than 40 characters"),
        ({"corpus": "upload"}, state.TEXT_MISSING),
    ],
)
def test_nonsense_in_a_link_is_said(query, remark):
    test = open_page(PAGE, **query)
    assert not test.exception
    assert any(remark in said for said in problems(test))


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({"vocabulary": "15"}, "The vocabulary size 15 is below the 16 base symbols. Choose a larger one."),
        ({"pretokenizer": "custom", "pattern": "("}, "The pattern does not compile: missing ) at position 1."),
    ],
)
def test_errors_are_one_sentence(query, error):
    test = open_page(PAGE, **query)
    assert not test.exception
    assert html(test).count(f'<p class="problem" role="alert">{error} Until then') == 1
    assert key_of(test, "algorithms.sentence") in test.session_state, "the page shows what it can"


def test_a_larger_vocabulary_is_offered_where_there_is_one():
    test = open_page(PAGE, corpus="short-story", vocabulary="22")
    [offer] = [button for button in test.button if button.label.startswith("Use")]
    assert offer.label == "Use 187 tokens"
    offer.click().run()
    assert PROBLEM not in html(test)
    assert link(test) == {"corpus": "short-story", "vocab_size": "187"}
    test = type_text(open_page(PAGE), " ".join(map(chr, range(0x4E00, 0x4E00 + 10_001))))
    assert "The vocabulary size 10000 is below the 10001 base symbols. Choose a larger one." in html(test)
    assert not [button for button in test.button if button.label.startswith("Use")]


@pytest.mark.parametrize("corpus", [key for key, row in EXAMPLES.items() if row.algorithms])
def test_every_example_begins_where_there_is_something_to_see(corpus):
    test = choose(open_page(PAGE), corpus)
    assert PROBLEM not in html(test)
    size, sentence, word = EXAMPLES[corpus].algorithms
    assert test.number_input[0].value == size
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == sentence
    assert test.session_state[key_of(test, "algorithms.word")] == word
    assert link(test) == ({} if corpus == "cats-eat" else {"corpus": corpus})
    models = train_models(example(corpus).text, Settings("whitespace", "characters", vocab_size=size))
    assert 3 <= models.wordpiece.steps < 200
    run = models.unigram
    moved = sum(len(run.changed(number)) for number in range(run.steps + 1))
    assert run.steps
    assert moved or corpus in ("my-dog", "one-dinosaur")  # there no size makes rounds that cut words otherwise


def test_a_links_own_values_win_over_what_goes_with_the_corpus():
    asked = {"corpus": "hug-pug-pun", "vocab_size": "22", "sentence": "bug mug"}
    test = open_page(PAGE, **asked)
    assert link(test) == asked
    choose(test, "newest-widest")
    assert link(test) == {"corpus": "newest-widest"}


def test_a_pasted_text_brings_its_size_and_its_beginning():
    test = open_page(PAGE)
    type_text(test, "Der Fischer wirft sein Netz.\nDer Fisch schwimmt fort.")
    assert PROBLEM not in html(test)
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == "Der Fischer wirft sein Netz."
    size = test.number_input[0].value
    test.text_input(key=key_of(test, "algorithms.sentence")).set_value("mine").run()
    type_text(test, "Der Fischer wirft sein Netz. Und die Frau? Sie liest.")
    assert PROBLEM not in html(test)
    assert test.text_input(key=key_of(test, "algorithms.sentence")).value == "mine"
    assert test.number_input[0].value > size


OWN_TEXTS = {
    "English": "the owl and the pussycat went to sea in a beautiful pea green boat, they took some honey",
    "lines": "Der Fischer wirft sein Netz.\n\n\tDer Fisch schwimmt fort.",
    "code": "def total(items):\n    return sum(item.count for item in items)\n",
    "Chinese": "我喝茶。猫在喝茶。",
    "one word": "one",
}


@pytest.mark.parametrize("pretokenizer", ["whitespace", "gpt2", "none"])
@pytest.mark.parametrize("name", OWN_TEXTS)
def test_of_a_text_of_ones_own_nothing_is_unknown(name, pretokenizer):
    shown = html(type_text(open_page(PAGE, pretokenizer=pretokenizer), OWN_TEXTS[name]))
    assert PROBLEM not in shown
    rows = shown.split('<div class="name">')[1:]
    assert len(rows) == 5
    for row in rows[:3]:  # BPE, WordPiece, Unigram
        assert "[UNK]" not in row
        assert 'class="token' in row


def test_no_charts_of_nothing():
    assert len(open_page(PAGE, view="unigram").get("vega_lite_chart")) == 3
    assert not open_page(PAGE, view="unigram", vocabulary="90").get("vega_lite_chart")
    assert film(open_page(PAGE, view="wordpiece", vocabulary="90", step="1000000"))["step"] > 0


def test_a_text_that_is_too_large_is_said_and_kept():
    text = "word " * 200_001
    test = type_text(open_page(PAGE), text)
    assert not test.exception
    assert html(test).count(
        "The text has 1,000,005 characters; these models are for learning and take at most 1,000,000: "
        "choose a smaller one."
    ) == 1  # fmt: skip
    assert typed(test) == text


@pytest.mark.parametrize("view", VIEWS)
def test_a_pattern_that_matches_nothing(view):
    test = open_page(PAGE, view=view, pretokenizer="custom", pattern="zzz")
    assert not test.exception
    assert not problems(test)


def test_all_text_is_escaped():
    models = train_models("<b>&\"' <script>", Settings("whitespace", "characters", vocab_size=100))
    text = "<img src=x onerror=alert(1)> <b>"
    run = models.unigram
    markup = [
        model_tables.sentence(models, text),
        model_tables.both_ways(models.by_name["bpe"], text.split(), text.split(), "<b>"),
        unigram_rounds.words(run, 0),
        unigram_rounds.ways(run.model(), '"><b>'),
    ]
    assert not any(tag in part for part in markup for tag in ("<img", "<b>", "<script", '"">'))


def test_surrogates_and_all_other_nasty_texts_have_parts():
    for text in NASTY:
        models = train_models(text, Settings("gpt2", "characters", vocab_size=1000))
        model_tables.sentence(models, text)
        model_tables.results(models, text)
        for number in range(models.unigram.steps + 1):
            unigram_rounds.words(models.unigram, number)
            unigram_rounds.pruned(models.unigram, number)
        run = models.wordpiece
        frames = WordPieceSide(run).chunk(run.steps // CHUNK)["frames"]
        assert len(frames[-1]["bars"]) == min(run.history.occurring(run.steps), 15)

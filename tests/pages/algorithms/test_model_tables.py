"""The models beside each other: one text under each, in figures, and in two ways."""

from bpe_core import Settings
from bpe_core.models.all_models import train_models
from bpe_core.pictures.film.film_side import CHUNK
from bpe_core.pictures.film.wordpiece_side import WordPieceSide
from pages.parts.algorithms import model_tables, unigram_rounds
from tests.pages.algorithms.driver import GUIDE, PAGE, STORY, plain
from tests.pages.driver import html, open_page
from tests.texts import NASTY


def test_the_sentence_under_each_model():
    shown = plain(model_tables.sentence(GUIDE, "eating jumper skiing"))
    assert "WordPiecejoins the best-scored pair6 tokens, loses 2 wordse##a##t##ing" in shown
    assert "##ing jumper[UNK] after jump skiing[UNK]" in shown
    assert "sk[UNK]iing" in shown
    assert "BPEjoins the most frequent pair11 tokens, loses characters" in shown
    assert shown.count(", loses ") == 5, "every figure that loses something says so"
    assert model_tables.pieces(GUIDE.by_name["unigram"], "s🦜t") == [(b"s", True), ("🦜".encode(), False), (b"t", True)]


def test_why_wordpiece_joins_what_it_joins_stands_below_the_models_and_above_the_other_notes():
    shown = plain(html(open_page(PAGE, corpus="cats-eat")))
    needs = "Of the words that both can write WordPiece makes 22 tokens, BPE 18. WordPiece’s score"
    first = "favours rare symbols: ##m + ##p, seen once in your text; BPE a + t, seen 20 times."
    places = [shown.index(part) for part in ("skiing", needs, "The count of a pair, divided", first, "## continues")]
    assert places == sorted(places)
    tie = train_models("hug hug pug", Settings("whitespace", "characters", vocab_size=8))
    said = (
        "here 3 pairs have the best score, and the first in the text is joined: h + ##u, seen 2 times in your text; BPE"
    )
    assert said in plain(model_tables.about_wordpiece(tie, "hug"))
    alike = train_models("ab ab", Settings("whitespace", "characters", vocab_size=3))  # both make one token of it
    said = plain(model_tables.about_wordpiece(alike, "ab"))
    assert not any(part in said for part in ("makes", "seen")), "it needs no more, and its first merge is as frequent"


def test_what_is_said_of_wordpiece_counts_the_tokens_that_stand_above_it():
    for text, what in (("eating running", "Of this text"), ("eating 🦜 running", "Of the words that both can write")):
        counts = [sum(len(model_tables.pieces(GUIDE.by_name[key], word)) for word in ("eating", "running"))
                  for key in ("wordpiece", "bpe")]  # fmt: skip
        said = f"{what} WordPiece makes {counts[0]} tokens, BPE {counts[1]}."
        assert (said in plain(model_tables.about_wordpiece(GUIDE, text))) == (counts[0] > counts[1])
    assert counts[0] > counts[1]


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
    assert all("differ in" in model_tables.ways_sentence(STORY, tokenizer, 432, n) for n in (1, 42))
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

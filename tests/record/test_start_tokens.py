"""Training that starts from tokens, held to the textbook, to bpe-continue, and to one long training."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as HuggingFace

from bpe_core import TIE_RULES, FormatError, Settings, SettingsError, dumps, load, loads, reference, train, trim
from bpe_core.corpus.counting import count_pretokens
from bpe_core.pictures.shared.training_in_words import first_sentence
from bpe_core.record import start_tokens as starts
from bpe_core.record.check import check_choices
from bpe_core.record.run import Stage
from bpe_core.settings import ForcedPairError
from bpe_core.text.alphabet import symbols_of
from bpe_core.text.custom_patterns import custom
from bpe_core.tokenizer.tokenizer import Tokenizer
from tests.texts import CORPUS, EXAMPLE_TEXTS, NASTY_UNICODE, TEXTS, WRITABLE

RULES = [key for key, rule in TIE_RULES.items() if rule.goes_on]
LOSSLESS = ["none", "gpt2", "digits", "line", "o200k"]
FEW = st.text("ab ", max_size=60) | st.text("ab1.'s\n ", max_size=80)
LARGE = 100_000


def textbook(text: str, settings: Settings, before: Tokenizer):
    """The textbook loop from the tokens of `before`, with the words that it begins with."""
    tokens = before.tokens
    merges = [(tokens[left], tokens[right]) for left, right, _ in before.merges]
    counts = count_pretokens(text, settings)
    words = {symbols_of(word, settings.alphabet, "none"): n for word, n in counts.items()}
    return (
        {reference.tokenized(word, merges): n for word, n in words.items()},
        reference.train_on(words, merges, choice(settings.tie_rule, before)),
    )


def choice(rule: str, before: Tokenizer):
    """What the rule says that it compares, in the plainest way."""
    if rule == "first-seen":
        return reference.most_frequent
    if rule == "greatest":
        return lambda counts: max(counts, key=lambda pair: (counts[pair], pair))
    assert rule in {"lowest-id", "hugging-face"}, f"the rule {rule} has no textbook here"
    ids = {token: i for i, token in enumerate(before.tokens) if token}
    if rule == "hugging-face" and before.alphabet == "bytes":
        of_gpt2 = load("gpt2").token_to_id
        ids = {token: of_gpt2(token) if len(token) == 1 else i + 256 for token, i in ids.items()}
    return partial(lowest, ids)


def lowest(ids, counts):
    pair = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
    ids.setdefault(pair[0] + pair[1], LARGE + len(ids))
    return pair


def check(run: Stage, before: Tokenizer, text: str) -> None:
    """Compare a stage with the textbook loop at every step."""
    words, loop = textbook(text, run.settings, before)
    for step, (pair, count, after) in enumerate(loop, 1):
        counts = reference.count_pairs(words)
        tied = [other for other in counts if counts[other] == count]
        assert run.merges[step - 1] == (*pair, b"".join(pair), count, len(tied))
        assert {other[:2] for other in run.tied(step)} == set(tied)
        assert run.tied(step)[0][:2] == pair
        assert {(left, right): n for left, right, n in run.pair_counts(step - 1)} == counts
        assert dict(run.words(step - 1)) == words
        words = after
    assert dict(run.words(run.steps)) == words
    assert run.pair_counts(run.steps) == []


@given(FEW | TEXTS, FEW, st.sampled_from(RULES), st.sampled_from(LOSSLESS), st.integers(0, 12))
def test_a_grown_vocabulary_equals_the_textbook_at_every_step(text, other, rule, split, merges):
    before = train(other, Settings(split, tie_rule=rule, vocab_size=256 + merges)).tokenizer()
    run = train(text, Settings(tie_rule=rule, vocab_size=LARGE), start=before)
    (stage,) = run.stages
    check(stage, before, text)
    assert stage.settings.pretokenizer == split


@given(
    FEW | TEXTS,
    st.sampled_from(RULES),
    st.sampled_from([("gpt2", "line"), ("gpt2", "none"), ("digits", "none"), ("o200k", "gpt2"), ("line", "none")]),
    st.integers(0, 12),
)
def test_a_second_stage_equals_the_textbook_at_every_step(text, rule, splits, merges):
    chosen = Settings(
        splits[0],
        tie_rule=rule,
        vocab_size=LARGE,
        then_across_words_from=256 + merges,
        then_split_by=splits[1],
    )
    run = train(text, chosen)
    first = train(text, Settings(splits[0], tie_rule=rule, vocab_size=256 + merges))
    assert run.stages[0].merges == first.merges
    check(run.stages[1], first.tokenizer(), text)
    assert (run.stages[1].settings.pretokenizer, run.settings) == (splits[1], chosen)


@given(TEXTS, st.sampled_from(RULES), st.sampled_from(LOSSLESS), st.sampled_from(["bytes", "characters"]), st.data())
def test_two_trainings_are_one(text, rule, split, alphabet, data):
    """A tokenizer says all that the next merges depend on: tokens, ids, and where they are in the text."""
    chosen = Settings(split, alphabet, tie_rule=rule, vocab_size=LARGE)
    whole = train(text, chosen)
    step = data.draw(st.integers(0, whole.steps))
    rest = train(text, chosen, start=whole.tokenizer(step))
    assert rest.merges == whole.merges[step:]
    assert rest.tokenizer() == whole.tokenizer()
    for at in range(rest.steps + 1):
        assert rest.words(at) == whole.words(step + at)
        assert rest.pair_counts(at) == whole.pair_counts(step + at)
        assert rest.vocabulary(at) == whole.vocabulary(step + at)


@given(WRITABLE, WRITABLE, FEW, st.sampled_from(LOSSLESS), st.integers(0, 20))
def test_without_the_new_merges_every_text_has_the_ids_of_the_start(text, other, first, split, merges):
    """A text in which no new merge applies has them with all merges too."""
    before = train(first + other, Settings(split, vocab_size=257 + merges, special_tokens=("<|>",))).tokenizer()
    grown = train(text, Settings(vocab_size=LARGE), start=before)
    assert grown.tokenizer(0).ids(other, specials=True) == before.ids(other, specials=True)
    tokenizer = grown.tokenizer()
    assert tokenizer.tokens[: len(before.tokens)] == before.tokens
    assert tokenizer.merges[: len(before.merges)] == before.merges
    assert tokenizer.special_tokens == before.special_tokens
    assert len(tokenizer.ids(text)) == grown.corpus_tokens[-1]
    for tried in (other, *other.split("a")):
        ids = tokenizer.ids(tried, specials=True)
        assert ids == before.ids(tried, specials=True) or max(ids) >= grown.base


@pytest.mark.parametrize("name", ["gpt2", "tekken"])
def test_a_published_vocabulary_keeps_its_ids(name):
    before, text = load(name), EXAMPLE_TEXTS["many-languages"]
    grown = train(text, Settings(vocab_size=200_000, min_count=2), start=before)
    assert grown.tokenizer(0).ids(CORPUS) == before.ids(CORPUS)
    assert grown.stop_reason == "below min_count"
    assert len(grown.tokenizer().ids(text)) == grown.corpus_tokens[-1] < grown.corpus_tokens[0] == before.count(text)


@given(FEW, st.sampled_from(["line", "none"]), st.integers(0, 8))
def test_the_encoder_of_a_second_stage_gives_the_text_its_last_words(text, split, merges):
    run = train(text, Settings(vocab_size=270, then_across_words_from=256 + merges, then_split_by=split))
    encoded = [run.tokenizer().encode(word).tokens for word in run.pretokens]
    assert encoded == [tokens for tokens, _ in run.words(run.steps)]


def test_lifetimes_inside_the_tokens_of_the_first_stage_are_those_of_the_first_stage():
    run = train("to be, to be, to be", Settings(vocab_size=261, then_across_words_from=258))
    found = run.tokenizer().encode("to be,")
    assert found.tokens == (b"to be,",)
    first = run.stages[0].tokenizer().encode("to be,").merged_at
    assert found.merged_at[1:].tolist() == [first[1], 3, first[3], 4, 5] == [1, 3, 2, 4, 5]


def test_bpe_continue_learns_the_same():
    bpe_continue = pytest.importorskip("bpe_continue")
    before = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=600)).tokenizer()
    text = EXAMPLE_TEXTS["python-code"]
    for base in (before, starts.across_words(before, "line")):
        file = dumps(base)["tokenizer.json"].decode()
        theirs = bpe_continue.continue_training(file, texts=[text], vocab_size=900, show_progress=False)
        ours = train(text, Settings(tie_rule="lowest-id", vocab_size=900), start=base).tokenizer()
        assert theirs.get_vocab() == HuggingFace.from_str(dumps(ours)["tokenizer.json"].decode()).get_vocab()


@pytest.mark.parametrize(
    "run",
    [
        train(CORPUS, Settings(vocab_size=700), start=train("hug hugs", Settings("o200k", vocab_size=258)).tokenizer()),
        train(CORPUS, Settings(vocab_size=700, then_across_words_from=500)),
        train(CORPUS, Settings("cl100k", vocab_size=600, then_across_words_from=500, then_split_by="none")),
        train(CORPUS, Settings(vocab_size=700, special_tokens=("<|a|>",), then_across_words_from=500)),
    ],
    ids=["grown", "across lines", "across all", "special"],
)
def test_tokenizers_loads_the_file_with_the_same_ids(run):
    tokenizer = run.tokenizer()
    theirs = HuggingFace.from_str(dumps(tokenizer)["tokenizer.json"].decode())
    for text in [*NASTY_UNICODE, *EXAMPLE_TEXTS.values(), "a<|a|>b"]:
        assert theirs.encode(text).ids == tokenizer.ids(text, specials=True)
    again = loads(dumps(tokenizer))
    assert train("hug " * 9, Settings(vocab_size=720), start=again).steps > 0


def test_special_tokens_of_the_start_keep_their_ids_and_new_ones_are_last():
    text = "hugs hugs<|endoftext|>hugs<|new|>hugs zzzz"
    run = train(text, Settings(vocab_size=50260, start="gpt2", special_tokens=("<|new|>",)))
    assert [merge.token for merge in run.merges] == [b"hugs", b" zzz"]
    tokenizer = run.tokenizer()
    assert tokenizer.special_tokens == {"<|endoftext|>": 50256, "<|new|>": 50259} == run.special_ids(2)
    assert tokenizer.ids(text, specials=True) == [
        50257,
        *load("gpt2").ids(" hugs"),
        50256,
        50257,
        50259,
        50257,
        50258,
        89,
    ]


REFUSED = {
    "bert": "its model is WordPiece, which has no merges",
    "its split drops text": train("hug", Settings("whitespace", vocab_size=256)).tokenizer(),
    "a marker": train("hug", Settings("gpt2", word_marker="end", vocab_size=257)).tokenizer(),
    "no token for 'z'": train("hug", Settings("none", "characters", vocab_size=4)).tokenizer(),
    "not known to keep all": replace(train("hug", Settings(vocab_size=256)).tokenizer(), pretokenizer=custom(".")),
}


@pytest.mark.parametrize("why", REFUSED)
def test_a_start_that_cannot_be_followed_is_refused_with_a_reason(why):
    given = REFUSED[why]
    before, reason = (load(why), given) if isinstance(given, str) else (given, why)
    with pytest.raises((SettingsError, FormatError), match=reason):
        train("zebra", Settings(vocab_size=10**6), start=before)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"start": "gpt9"}, "choose one of none, o200k_base"),
        ({"start": "gpt2"}, "vocab_size 300 is below the 50257 ids that training starts from"),
        ({"start": "gpt2", "then_across_words_from": 280}, "vocab_size 300 is below the 50257 ids"),
        (
            {"start": "gpt2", "vocab_size": 50_300, "then_across_words_from": 280},
            "then_across_words_from 280 is below the 50257 ids that training starts from",
        ),
        ({"start": "gpt2", "tie_rule": "corpus-order"}, "which words its merges moved"),
        ({"then_across_words_from": 300}, "is not below vocab_size 300"),
        ({"then_across_words_from": 200}, "^then_across_words_from 200 is below the 256 base symbols"),
        ({"then_across_words_from": 2, "alphabet": "characters"}, "^then_across_words_from 2 is below the 3 base"),
        ({"then_across_words_from": 280, "pretokenizer": "whitespace"}, "drops no text"),
        ({"then_across_words_from": 280, "word_marker": "end"}, "no word marker"),
        ({"then_across_words_from": 280, "tie_rule": "corpus-order"}, "which words its merges moved"),
    ],
)
def test_settings_that_no_second_stage_could_follow_are_refused(values, reason):
    with pytest.raises(SettingsError, match=reason):
        train("hug", Settings(**{"vocab_size": 300, **values}))


def test_the_least_size_is_that_of_the_start_at_once():
    with pytest.raises(SettingsError) as caught:
        train("hug", Settings(start="gpt2", vocab_size=3, special_tokens=("<new>",)))
    assert caught.value.least == 50_258


def test_a_text_too_large_to_cross_words_is_refused(monkeypatch):
    monkeypatch.setattr(starts, "MOST_ACROSS", 20)
    with pytest.raises(SettingsError, match="its 22 characters are more than the 20"):
        train("a line\na line\nother lines are", Settings(vocab_size=300, then_across_words_from=257))


def test_the_pairs_that_a_visitor_chose_belong_to_their_stage():
    chosen = Settings(vocab_size=261, then_across_words_from=258, forced={1: (b"b", b"e"), 4: (b"e", b", ")})
    with pytest.raises(SettingsError, match="does not occur there"):
        train("to be, to be, to be", chosen)
    forced = {1: (b"b", b"e"), 3: (b",", b" ")}
    run = train("to be, to be, to be", Settings(vocab_size=261, then_across_words_from=258, forced=forced))
    assert (run.merges[0].token, run.merges[2].token) == (b"be", b", ")


def test_an_error_counts_the_step_of_a_chosen_pair_through_the_stages():
    chosen = Settings(vocab_size=261, then_across_words_from=258, forced={4: (b"q", b"u")})
    with pytest.raises(ForcedPairError, match="chosen for step 4, does not occur there") as caught:
        train("to be, to be, to be", chosen)
    assert caught.value.step == 4
    rare = train("to be, to be, to be", replace(chosen, forced={1: (b"b", b"e"), 4: (b"be", b",")}))
    assert rare.merges[3].count < rare.pair_counts(3, top=1)[0].count
    with pytest.raises(ForcedPairError, match="chosen for step 4, is not tied for the highest count there") as caught:
        check_choices(rare)
    assert caught.value.step == 4


def test_a_pair_chosen_right_after_a_first_stage_that_ended_early_is_of_the_second():
    text, chosen = "newest widest " * 3, Settings(vocab_size=400, then_across_words_from=300)
    plain = train(text, chosen)
    ended = plain.begins[1]
    other = plain.tied(ended + 1)[1]
    forced = train(text, replace(chosen, forced={ended + 1: other[:2]}))
    assert (forced.begins, forced.steps) == (plain.begins, plain.steps)
    assert (forced.stages[0].stop_reason, forced.merges[ended][:2]) == ("no pairs left", other[:2])
    check_choices(forced)
    with pytest.raises(ForcedPairError, match=f"chosen for step {ended}, does not occur there"):
        train(text, replace(chosen, forced={ended: (b"q", b"u")}))


def test_one_word_after_the_other():
    run = train("go go go", Settings(vocab_size=259, then_across_words_from=257))
    assert [stage.stop_reason for stage in run.stages] == ["target reached"] * 2
    assert run.corpus_tokens.tolist() == [8, 5, 3, 2]


def test_a_start_that_is_given_is_in_the_settings_as_given():
    before = train("go go", Settings(vocab_size=257)).tokenizer()
    for chosen in (Settings(vocab_size=300), Settings(vocab_size=300, start="given", then_across_words_from=258)):
        run = train("go on, go on", chosen, start=before)
        assert run.settings.start == "given"
    assert "every word is written in the tokens of the start." in first_sentence(run)
    with pytest.raises(SettingsError, match="no tokenizer is: call"):
        train("go", Settings(start="given"))
    with pytest.raises(SettingsError, match="there are two starts"):
        train("go", Settings(start="gpt2"), start=before)


def test_a_start_can_be_named_or_a_file(tmp_path):
    wanted = train("a parrot, two parrots", Settings(vocab_size=50258), start=load("gpt2"))
    for name in ("gpt2", "GPT-2", *load("gpt2").save(tmp_path, "tiktoken")[:1]):
        run = train("a parrot, two parrots", Settings(vocab_size=50258), start=name)
        assert run.merges == wanted.merges
        assert run.settings.start == ("gpt2" if isinstance(name, str) else "given")
    assert trim("gpt2", "The parrot") == trim(load("gpt2"), "The parrot")
    for wrong in (5, ["gpt2"]):
        with pytest.raises(TypeError, match="a tokenizer or its name is needed"):
            train("low", Settings(vocab_size=50258), start=wrong)
        with pytest.raises(TypeError, match="a tokenizer or its name is needed"):
            trim(wrong, "low")

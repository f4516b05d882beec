"""Training on several sources: each count by source equals the textbook's count on that source alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Run, Settings, SourceError, reference, train, train_counts
from bpe_core.corpus.counting import count_pretokens
from bpe_core.corpus.text_files import TextFile
from bpe_core.text.alphabet import symbols_of
from tests.texts import ALL_SETTINGS, EXAMPLE_TEXTS, NASTY, TEXTS, WRITABLE, textbook_train

SOURCES = st.dictionaries(st.sampled_from(["en", "de", "<b>*x*</b>"]), TEXTS | st.sampled_from(NASTY[:20]), min_size=1)
SETTINGS = Settings("gpt2", vocab_size=600)


def words_of(text, settings):
    counts = count_pretokens(text, settings)
    return {symbols_of(word, settings.alphabet, settings.word_marker): n for word, n in counts.items()}


def uses(words):
    found = {}
    for word, count in words.items():
        for token in word:
            found[token] = found.get(token, 0) + count
    return found


@given(SOURCES, ALL_SETTINGS)
def test_every_count_by_source_is_the_textbooks(texts, chosen):
    run = train(texts, chosen)
    _, textbook = textbook_train([*texts.values()], chosen)
    apart = {name: words_of(text, chosen) for name, text in texts.items()}
    made = dict.fromkeys(texts, 0)
    for step, (pair, count, _) in enumerate(textbook, 1):
        pairs = {name: reference.count_pairs(words).get(pair, 0) for name, words in apart.items()}
        assert sum(pairs.values()) == count
        assert run.merge_sources(step) == run.pair_sources(step - 1, *pair) == pairs
        made[max(pairs, key=pairs.get)] += 1
        apart = {name: reference.join_in_all(words, pair) for name, words in apart.items()}
        now = {name: uses(words) for name, words in apart.items()}
        token = b"".join(pair)
        assert run.birth(token) == {name: counts.get(token, 0) for name, counts in now.items()}
        sources = run.sources(step)
        assert {source.name: source.tokens for source in sources} == {name: sum(c.values()) for name, c in now.items()}
        assert {source.name: source.made for source in sources} == made
        assert [source.words for source in sources] == [len(words) for words in apart.values()]
        counted = [count_pretokens(text, chosen) for text in texts.values()]
        assert [source.characters for source in sources] == [sum(len(w) * n for w, n in c.items()) for c in counted]
        assert [source.bytes for source in sources] == [
            sum(len(w.encode("utf-8", "surrogatepass")) * n for w, n in c.items()) for c in counted
        ]
    assert sum(made.values()) == run.steps


@given(SOURCES, ALL_SETTINGS, st.booleans())
def test_all_sources_together_are_the_run_without_sources(texts, chosen, across):
    chosen = Settings(vocab_size=275, then_across_words_from=265) if across else chosen
    run, plain = train(texts, chosen), train([*texts.values()], chosen)
    assert (run.merges, run.pretokens, run.texts) == (plain.merges, plain.pretokens, plain.texts)
    assert run != plain
    for step in range(run.steps + 1):
        assert sum(source.tokens for source in run.sources(step)) == plain.corpus_tokens[step]
        assert sum(source.made for source in run.sources(step)) == step
        (whole,) = plain.sources(step)
        assert (whole.name, whole.tokens) == ("text", plain.corpus_tokens[step])
    for token in {merge.token for merge in run.merges}:
        assert sum(run.birth(token).values()) == plain.birth(token)["text"]
    assert run.remains() == plain.remains()


@given(TEXTS, ALL_SETTINGS)
def test_what_remains_of_a_token(text, chosen):
    run = train(text, chosen)
    now = uses(dict(run.words(run.steps)))
    for step, found in enumerate(run.remains(), 1):
        at_birth = uses(dict(run.words(step)))
        assert (found.step, found.born, found.left) == (step, at_birth[found.token], now.get(found.token, 0))
    residues = {each.token for each in run.residues(0.5)}
    assert residues == {each.token for each in run.remains() if each.share < 0.5}


def test_a_byte_is_counted_before_the_first_merge():
    run = train({"en": "low low", "de": "los"}, Settings("whitespace", vocab_size=258))
    assert run.birth(b"o") == {"en": 2, "de": 1}
    with pytest.raises(ValueError, match="b'zz' is not a token of this training"):
        run.birth(b"zz")


def test_a_start_and_a_second_stage_keep_the_sources():
    chosen = Settings(start="gpt2", vocab_size=50_265, then_across_words_from=50_260)
    texts = {name: EXAMPLE_TEXTS[name][:2000] for name in ("many-languages", "python-code")}
    run = train(texts, chosen)
    assert len(run.stages) == 2
    for step in range(1, run.steps + 1):
        assert sum(run.merge_sources(step).values()) == run.merges[step - 1].count
    assert sum(source.made for source in run.sources(run.steps)) == run.steps


@given(st.dictionaries(st.sampled_from(["en", "de"]), WRITABLE, min_size=1))
def test_a_saved_run_has_its_sources(tmp_path_factory, texts):
    path = tmp_path_factory.getbasetemp() / "sources.json"
    run = train(texts, SETTINGS)
    assert Run.load(run.save(path)) == run
    counted = train_counts({name: count_pretokens(text, SETTINGS) for name, text in texts.items()}, SETTINGS)
    again = Run.load(counted.save(path))
    assert again == counted
    assert again.sources(run.steps) == run.sources(run.steps)


def test_files_are_sources(tmp_path):
    texts = {name: EXAMPLE_TEXTS[name] for name in ("short-story", "python-code")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    seen = []
    files = {name: TextFile(tmp_path / name) for name in texts}
    run = train(files, SETTINGS, progress=lambda *report: seen.append(report), workers=2)
    assert run.texts is None
    assert run.sources(300) == train(texts, SETTINGS).sources(300)
    size = sum((tmp_path / name).stat().st_size for name in texts)
    assert [done for phase, done, _ in seen if phase == "counting"][-1] == size


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({}, "there are no sources"),
        ({"": "x"}, "a source has a name of 1 to 100 characters"),
        ({1: "x"}, "a source has a name of 1 to 100 characters"),
        ({str(n): "x" for n in range(1000)}, "1,000 sources are too many"),
    ],
)
def test_sources_that_cannot_be(texts, said):
    with pytest.raises(SourceError, match=said):
        train(texts)


def test_a_source_without_text_has_no_bytes_per_token():
    run = train({"en": "low low", "de": ""}, Settings("whitespace", vocab_size=258))
    assert [source.bytes_per_token for source in run.sources(2)] == [3, None]
    assert run.merge_sources(2) == {"en": 2, "de": 0}

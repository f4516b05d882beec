"""The first pairs of every step are those that a plain count and a plain reading of the corpus give, for each rule."""

import pytest

from bpe_core import TIE_RULES, Settings, reference, train
from bpe_core.record.frames import leading_pairs
from tests.texts import symbol_ids, textbook_train

# Many pairs tie at every step; the first word with a pair is joined while the pair is still in other words.
STORY = (
    "the tide comes in, the tide goes out, the lamp goes round and round. the keeper turns the lamp about and listens "
    "to the sound of tide on stone, of stone on tide, of rope and bell and rain. aaaa aaab baaa abab é🦜 🦜é"
)
TOP = 12  # more than tie at most steps, and fewer than there are


def in_order(counts, rule, ids):
    """Return the pairs with their counts, the first pair first. `counts`: in the order in which pairs are seen."""
    if rule == "greatest":
        counts = dict(sorted(counts.items(), reverse=True))
    elif not TIE_RULES[rule].by_site:
        assert rule in {"lowest-id", "hugging-face"}, f"the rule {rule} has no textbook here"
        counts = dict(sorted(counts.items(), key=lambda row: (ids[row[0][0]], ids[row[0][1]])))
    return sorted(((*pair, count) for pair, count in counts.items()), key=lambda row: -row[2])


@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
@pytest.mark.parametrize("rule", TIE_RULES)
def test_the_leading_pairs_of_every_step_are_the_textbooks(rule, alphabet):
    settings = Settings("whitespace", alphabet, tie_rule=rule, vocab_size=10_000)
    (run,) = train(STORY, settings).stages
    left, right = run.history.left, run.history.right
    words, loop = textbook_train(STORY, settings)
    ids = symbol_ids(settings, words)
    ties = 0
    of_steps = zip([words, *(after for *_, after in loop)], leading_pairs(run.pair_order, run.steps, TOP), strict=True)
    for step, (words, found) in enumerate(of_steps):
        if step:
            ids.setdefault(run.merges[step - 1].token, len(ids))
        counts = reference.count_pairs(words)
        expected = in_order(counts, rule, ids)[:TOP]
        assert [(run.tokens[left[row]], run.tokens[right[row]], count) for row, count in found] == expected, step
        ties += len({count for *_, count in expected}) < len(expected)
    assert ties > 50

"""The checks that a person can ask for: green on a right run, red on a wrong one."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import TIE_RULES, Settings, train
from bpe_core.record.check import check, check_choices
from bpe_core.settings import ForcedPairError
from bpe_core.text.in_words import times
from bpe_core.tokenizer.biography import trace
from tests.texts import ALL_SETTINGS, TEXTS, textbook_train

RUN = train("low low lower newest newest widest", Settings("whitespace", vocab_size=264))


def changed(**columns):
    (stage,) = RUN.stages
    return replace(RUN, stages=(replace(stage, lifetimes=replace(stage.lifetimes, **columns)),))


def test_a_right_run_is_green_at_every_step():
    for step in range(RUN.steps + 1):
        assert all(finding.holds for finding in check(RUN, step))


def test_the_figures_count_the_bytes_of_the_text_and_not_the_word_markers():
    words, *_ = check(train("low low lower", Settings("whitespace", "characters", "end")), 1)
    assert words.figures == "2 different words, 11 bytes in all"


def test_a_boundary_that_fell_at_another_step_is_red():
    merged_at = RUN.lifetimes.merged_at.copy()
    merged_at[np.flatnonzero(merged_at == 1)[0]] = 3
    assert not all(finding.holds for finding in check(changed(merged_at=merged_at), 2))


def test_a_wrong_count_is_red():
    findings = check(changed(counts=RUN.lifetimes.counts + 1), 2)
    assert [finding.holds for finding in findings] == [True, True, False]
    assert "step 1" in findings[2].figures


def test_wrong_pairs_are_red():
    broken = changed()
    broken.stages[0].__dict__["history"] = replace(RUN.history, birth_count=RUN.history.birth_count + 1)
    assert [finding.holds for finding in check(broken, 1)] == [True, False, True]


def test_out_of_time_is_said(monkeypatch):
    monkeypatch.setattr("bpe_core.record.check.SECONDS", 0)
    (*_, finding) = check(RUN, RUN.steps)
    assert finding.figures.startswith("only the first 0 of 8 steps")
    assert not finding.finished


@pytest.mark.parametrize("step", [0, 3])
def test_check_of_a_branch(step):
    other = RUN.tied(1)[1]
    branch = train("low low lower newest newest widest", replace(RUN.settings, forced={1: other[:2]}))
    assert all(finding.holds for finding in check(branch, step))


def test_a_forced_pair_that_another_one_outnumbers_is_red():
    rare = train("low low lower newest newest widest", replace(RUN.settings, forced={2: (b"w", b"i")}))
    best = rare.pair_counts(1, top=1)[0].count
    assert all(finding.holds for finding in check(rare, 1))
    findings = check(rare, 3)
    assert [finding.holds for finding in findings] == [True, True, False]
    assert findings[2].figures == f"step 2: (b'w', b'i') occurs once, the best pair {times(best)}"


def test_a_record_that_claims_the_rule_for_a_rarer_pair_is_red():
    rare = train("low low lower newest newest widest", replace(RUN.settings, forced={2: (b"w", b"i")}))
    (stage,) = rare.stages
    by_rule = replace(rare, stages=(replace(stage, settings=RUN.settings),), settings=RUN.settings)
    assert [finding.holds for finding in check(by_rule, 1)] == [True, True, True]
    for step in range(2, rare.steps + 1):
        assert [finding.holds for finding in check(by_rule, step)] == [True, True, False]


def claiming_the_rule(run):
    """A run record that says of its forced pairs that the rule chose them."""
    stages = tuple(replace(stage, settings=replace(stage.settings, forced={})) for stage in run.stages)
    return replace(run, stages=stages, settings=replace(run.settings, forced={}))


@pytest.mark.parametrize("rule", TIE_RULES)
@given(TEXTS, ALL_SETTINGS, st.data())
def test_every_tie_is_decided_again_by_the_rule(rule, text, chosen, data):
    """The pairs and the words of every step are those of the tests' own textbook; one wrong choice is found."""
    chosen = replace(chosen, tie_rule=rule)
    run = train((text,), chosen)
    _, loop = textbook_train(text, chosen)
    by_rule = [pair for pair, *_ in loop]
    findings = check(run, run.steps)
    assert findings[2].holds
    assert findings[2].claim.endswith(f"every tie went to {TIE_RULES[rule].picks}")
    ties = [step for step, merge in enumerate(run.merges, 1) if merge.tied > 1]
    assert findings[2].figures.endswith(f", {len(ties):,} with a tie")
    if ties:
        step = data.draw(st.sampled_from(ties))
        pair = data.draw(st.sampled_from([each[:2] for each in run.tied(step) if each[:2] != by_rule[step - 1]]))
        other = train((text,), replace(chosen, forced={step: pair}))
        assert all(finding.holds for finding in check(other, other.steps))
        wrong = claiming_the_rule(other)
        assert [finding.holds for finding in check(wrong, step - 1)] == [True, True, True]
        assert [finding.holds for finding in check(wrong, wrong.steps)] == [True, True, False]
        assert check(wrong, step)[2].figures == (
            f"step {step:,}: {other.merges[step - 1].tied:,} pairs occur {times(other.merges[step - 1].count)}, "
            f"and the rule takes {by_rule[step - 1]!r}, not {pair!r}"
        )


@pytest.mark.parametrize("rule", [rule for rule in TIE_RULES if TIE_RULES[rule].goes_on])
def test_a_tie_across_words_or_from_a_start_is_decided_again(rule):
    text = "low low lower newest newest widest zygodactyl parrots, kookaburras"
    settings = Settings("gpt2", tie_rule=rule, then_across_words_from=262, vocab_size=270)
    for run in (train(text, settings), train(text, Settings(tie_rule=rule, vocab_size=50_264), start="gpt2")):
        step = max(step for step, merge in enumerate(run.merges, 1) if merge.tied > 1)
        assert all(finding.holds for finding in check(run, run.steps))
        other = train(text, replace(run.settings, forced={step: run.tied(step)[-1][:2]}))
        assert all(finding.holds for finding in check(other, step))
        assert [finding.holds for finding in check(claiming_the_rule(other), step)] == [True, True, False]


@pytest.mark.parametrize(
    ("forced", "min_count", "why"),
    [
        ({1: (b"o", b"w")}, 3, ""),
        ({2: (b"w", b"e")}, 1, "w + e, chosen for step 2, is not tied for the highest count there"),
        ({1: (b"o", b"w")}, 4, "o + w, chosen for step 1, is seen less often than 4 times there"),
        (
            {1: (b"o", b"w"), 3: (b"e", b"r"), 9: (b"e", b"r")},
            1,
            "e + r, chosen for step 9, comes after the last step, 4",
        ),
    ],
)
def test_only_a_pair_that_the_settings_let_a_training_choose_is_a_choice(forced, min_count, why):
    run = train("low low lower", Settings("whitespace", vocab_size=300, forced=forced, min_count=min_count))
    if not why:
        return check_choices(run)
    with pytest.raises(ForcedPairError, match=re.escape(why) + "$"):
        check_choices(run)


@given(TEXTS, ALL_SETTINGS)
def test_a_trace_ends_in_the_encoding(text, chosen):
    tok = train(text, chosen).tokenizer()
    for pretoken in chosen.splitter.split(text):
        applied = trace(tok, pretoken.text)
        assert applied[-1].tokens == tuple(map(tok.token_bytes, tok.encode_word(pretoken.text)))
        assert [one.step for one in applied] == sorted({one.step for one in applied})

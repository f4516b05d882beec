"""A saved page: how it is made, and what it says about what it shows."""

from bpe_core import Settings, train
from bpe_core.record.record import Record
from tests.texts import EXAMPLE_TEXTS

STORY = EXAMPLE_TEXTS["short-story"]


def test_a_film_is_drawn_in_one_pass_that_reports(monkeypatch):
    asked, reports = [], []
    one_step = Record.pair_ids
    monkeypatch.setattr(Record, "pair_ids", lambda run, *given: asked.append(given) or one_step(run, *given))
    run = train(STORY, Settings(vocab_size=500, then_across_words_from=400))
    page = run.page(progress=lambda *report: reports.append(report))
    assert page.html == run.page().html
    assert len(asked) < 60 < run.steps  # of the first chunks only, which the answer to the first request has
    (indexing, *drawing) = reports
    assert indexing == ("indexing", 0, 1)
    assert {(phase, total) for phase, _, total in drawing} == {("drawing", run.steps + 2)}
    assert [done for _, done, _ in drawing] == sorted({done for _, done, _ in drawing})
    assert drawing[-1][1] == run.steps + 2


def test_a_page_says_once_what_its_marks_mean():
    run = train(STORY, Settings(vocab_size=260))
    for page in (run.page(), run.page(beside=run), run.tokenizer().encode(STORY).page()):
        above, below = page.html.split('<div id="view">')
        assert "is a space" not in above
        assert below.partition("<script")[0].count("· is a space, ⏎ a line break, ⇥ a tab.") == 1
    (where,) = train("a\nb", Settings("line")).page().html.split("Brackets")[1:]
    assert where.startswith(" show where a line begins and ends.")

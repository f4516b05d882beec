"""WordPiece on the page: its file of merges and its film."""

from pages.parts.algorithms import model_tables
from tests.pages.algorithms.driver import GUIDE, PAGE
from tests.pages.driver import film, open_page


def test_the_file_of_merges_is_the_run():
    rows = model_tables.wordpiece_history(GUIDE.wordpiece)
    assert rows["token"].tolist()[:6] == ["##mp", "ru", "ju", "jump", "jumpi", "##in"]
    assert (rows["score"] == rows["count"] / (rows["count of left"] * rows["count of right"])).all()


def test_the_guides_fourteen_merges():
    expected = (
        "##m ##p,r ##u,j ##u,ju ##mp,jump ##i,##i ##n,ru ##n,run ##n,jumpi ##n,runn ##in,##in ##g,runnin ##g,"
        "jumpin ##g,f ##o"
    )
    halves = model_tables.wordpiece_history(GUIDE.wordpiece)[["left", "right"]].values.tolist()
    assert [" ".join(pair) for pair in halves] == expected.split(",")
    test = open_page(PAGE, view="wordpiece", vocabulary="30", step="14")
    assert (film(test)["step"], film(test)["sides"][0]["steps"]) == (14, 14)

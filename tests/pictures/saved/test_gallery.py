"""The gallery: what it says of its films is so, and its index leads to every page."""

import re
from html import unescape

from bpe_core import load, train
from bpe_core.pictures.saved import gallery
from bpe_core.pictures.saved.gallery import PIECES, write_gallery
from bpe_core.pictures.shared.token_text import token_text


def tokens_of(key: str) -> list[str]:
    piece = PIECES[key]
    _, encoding = piece.make(piece.title, [piece.about])
    return [token_text(token, "_") for token in encoding.tokens]


def films(monkeypatch, key: str) -> list:
    """Return the runs of a film."""
    runs = []
    monkeypatch.setattr(gallery, "train", lambda *given: runs.append(train(*given)) or runs[-1])
    PIECES[key].make("", [])
    return runs


def test_the_index_leads_to_every_page(tmp_path):
    index, *paths = write_gallery(tmp_path / "new" / "gallery")
    shown = index.read_text(encoding="utf-8")
    assert re.findall('<a href="(.*?)"', shown) == [path.name for path in paths] == [f"{key}.html" for key in PIECES]
    for path, piece in zip(paths, PIECES.values(), strict=True):
        page = path.read_text(encoding="utf-8")
        assert f"<h1>{piece.title}</h1>" in page
        assert re.findall('<a href="(.*?)"', page) == [index.name]
        assert f'<p class="about">{piece.about}</p>' in unescape(page)


def test_the_index_leads_to_a_site_that_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "PIECES", {})
    (tmp_path / "site").mkdir()
    for written, links in ((False, []), (True, ["site/index.html"])):
        if written:
            (tmp_path / "site/index.html").touch()
        (index,) = write_gallery(tmp_path)
        assert re.findall('<a href="(.*?)"', index.read_text(encoding="utf-8")) == links


def test_what_is_said_of_the_films_is_so(monkeypatch):
    left, right = films(monkeypatch, "ties")
    assert 2 * sum(merge.tied > 1 for merge in left.merges) > left.steps
    assert left.merges[:2] == right.merges[:2]
    assert left.merges[2] != right.merges[2]
    left, right = films(monkeypatch, "two-splits")
    assert {b"dog.", b"dog,", b"dog;"} <= left.ids.keys()
    assert b" dog" in right.ids
    assert right.words(right.steps)[1] == ((b" dog",), 6)
    (poem,) = films(monkeypatch, "poem")
    assert poem.stop_reason == "below min_count"
    assert any(b"\n" in merge.token and b" " in merge.token for merge in poem.merges)
    (code,) = films(monkeypatch, "code")
    assert {b".counts", b"(self", b" " * 4} <= code.ids.keys()
    (crossing,) = films(monkeypatch, "across-words")
    assert crossing.begins == (0, 20)
    assert (crossing.merges[22].token, crossing.merges[22].count) == (b" the end of the", 5)
    (grown,) = films(monkeypatch, "grown")
    assert b" chlorophyll" in [merge.token for merge in grown.merges]
    assert not {b" chlorophyll", b" chloroplasts"} & {*load("gpt2").tokens}
    assert list(grown.tokenizer().tokens[:50_256]) == list(load("gpt2").tokens[:50_256])
    (three,) = films(monkeypatch, "sources")
    made = [max(wanted, key=wanted.get) for wanted in map(three.merge_sources, range(1, three.steps + 1))]
    assert (made[0], made.index("English") + 1, max(set(made), key=made.count)) == ("Hindi", 13, "Python")
    (notebook,) = films(monkeypatch, "selene")
    assert [token_text(merge.token, "_") for merge in notebook.merges] == [
        "es", "est", "est_", "lo", "low", "ne", "new", "newest_", "low_"
    ]  # fmt: skip
    assert (sum(notebook.pretoken_counts), len(notebook.pretokens)) == (17, 5)


def test_what_is_said_of_the_texts_is_so():
    assert tokens_of("never-seen") == ["low", "est_"]
    numbers = [token.decode() for token in load("gpt-4").encode("1234567 1024").tokens]
    assert numbers == ["123", "456", "7", " ", "102", "4"]
    assert {"123", "456", "102"} <= set(tokens_of("numbers"))


def test_the_chat_is_what_the_template_gives():
    turns = [("system", "Answer in one word."), ("user", "Is a tomato a fruit?"), ("assistant", "Yes.")]
    given = load("qwen").apply_chat_template([*turns, ("user", "And a strawberry?")], add_generation_prompt=True)
    _, encoding = PIECES["chat"].make("", [])
    assert (encoding.text, list(encoding.ids)) == (given.text, list(given.ids))

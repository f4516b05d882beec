"""The Playground without a browser: what it sends to its live view, and what it says."""

import json
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FORMATS, Settings, dumps, loads, train
from bpe_core.display.token_text import paired
from bpe_core.published import PublishedError, gpt2
from bpe_core.text.normalizers import normalized
from bpe_core.tokenizer.boundaries import SPACED, BoundaryFinder
from bpe_core.tokenizer.token_table import token_table
from pages.parts.playground.biography import facts
from pages.parts.playground.id_lists import read_ids
from pages.parts.playground.neighbours import neighbours
from pages.parts.playground.place import Place
from pages.parts.session import vocabularies
from pages.parts.session.corpora import example
from pages.parts.session.links import LARGEST
from pages.parts.session.state import in_link
from tests.files.test_reading import SHAPES
from tests.texts import NASTY

EXAMPLE = example("keepers-dog").text  # what the page shows while nothing is typed
APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """No vocabulary from another test."""
    monkeypatch.setattr(vocabularies, "_published", dict(vocabularies._published))
    monkeypatch.setattr(vocabularies, "_refused", {})


def visit(query: dict[str, str] | None = None, state: dict | None = None) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=60).switch_page("pages/playground.py")
    for name, value in (query or {}).items():
        at.query_params[name] = value
    for name, value in (state or {}).items():
        at.session_state[name] = value
    at.run()
    assert not at.exception
    return at


def sent(at: AppTest) -> dict:
    return json.loads(at.get("bidi_component")[-1].proto.json)


def typed(text: str) -> dict:
    """The session where this text was typed."""
    return {"shared.editor": {"typed": {"number": 7, "version": 1, "text": text}}}


def in_editor(at: AppTest) -> dict:
    return json.loads(at.get("bidi_component")[1].proto.json)


def said(at: AppTest) -> str:
    return " ".join(element.proto.body for element in at.get("html"))


def test_first_visit():
    data = sent(visit())
    assert data["title"] == "GPT-2"
    assert data["steps"] == data["step"] == 50_000
    assert data["counts"]["characters"] == len(data["text"])
    assert data["options"] == {"ids": "yes", "marks": True, "window": "128000", "price": ""}


def link_of(at: AppTest) -> dict[str, str]:
    return {name: value if isinstance(value, str) else value[0] for name, value in at.query_params.items()}


@pytest.mark.parametrize("text", NASTY)
def test_typed_text(text):
    at = visit(state=typed(text) | {"playground.against": "my-dog"})
    assert (in_editor(at)["answered"], sent(at)["text"]) == (7, paired(text) or EXAMPLE)
    text = paired(text)
    assert link_of(at).get("text", "") == (text if in_link(text) else "")


def test_a_link_restores_everything():
    link = {"text": "low lower", "tokenizer": "my-dog", "step": "3", "ids": "list", "marks": "no", "specials": "no"}
    link |= {"window": "8192", "price": "2.5", "token": "4"}
    at = visit(link)
    data = sent(at)
    assert (data["text"], data["step"], data["title"]) == ("low lower", 3, "“my dog. your dog.”")
    assert data["options"] == {"ids": "list", "marks": False, "window": "8192", "price": "2.5"}
    assert link_of(at) == link


def test_a_link_with_nonsense_is_said_and_left_out():
    at = visit({"tokenizer": "gpt9", "step": "-1", "ids": "<b>", "text": "ok"})
    assert sent(at)["title"] == "GPT-2"
    assert len(at.info) == 3


def test_a_long_text_does_not_travel():
    at = visit(state=typed("a" * 1501))
    assert "text" not in at.query_params


def test_the_slider_comes_back_and_follows_the_vocabulary():
    at = visit(state={"playground.view": {"step": 120}})
    assert link_of(at)["step"] == "120"
    at = visit(state={"playground.view": {"step": 50_000}})
    assert "step" not in at.query_params
    assert at.session_state["playground.step"] == LARGEST


def test_special_tokens_by_choice():
    text = {"text": "a<|endoftext|>b"}
    assert sent(visit(text))["merged_at"] != sent(visit({**text, "specials": "no"}))["merged_at"]


def test_the_trained_vocabulary_has_all_its_merges():
    at = visit({"tokenizer": "trained"}, {"train.step": 4})
    assert (sent(at)["step"], sent(at)["steps"]) == (18, 18)


def test_a_damaged_table_is_one_sentence_and_the_others_go_on(monkeypatch, tmp_path):
    table = tmp_path / "cut.gz"
    table.write_bytes(gpt2.TABLE.read_bytes()[:1000])
    monkeypatch.setattr(vocabularies, "_published", {})
    monkeypatch.setattr(gpt2.load_gpt2, "__defaults__", (table,))
    at = visit()
    assert "cannot be read" in at.error[0].value
    assert sent(at)["title"] == "“low, lower, newest, widest”"


def test_a_vocabulary_that_cannot_be_fetched(monkeypatch):
    def refuse(name, pretokenizer):
        raise PublishedError(f"{name} could not be fetched: there is no way to OpenAI's server from here.")

    row = vocabularies.PUBLISHED["cl100k_base"]
    asked = []
    broken = type(row)(row.title, row.about, lambda: asked.append(1) or refuse("cl100k_base", ""))
    monkeypatch.setitem(vocabularies.PUBLISHED, "cl100k_base", broken)
    at = visit({"tokenizer": "cl100k_base", "text": "kept"})
    assert at.error[0].value.startswith("cl100k_base could not be fetched")
    assert (sent(at)["title"], sent(at)["text"]) == ("GPT-2", "kept")
    at.run()
    assert len(asked) == 1  # not at every key


def words(told: list) -> str:
    """Words with tokens among them as one line."""
    halves = (word.get("pair") or [word["token"]] if isinstance(word, dict) else [word] for word in told)
    return "".join(
        " ".join(bytes.fromhex(half).decode("latin-1") for half in shown) if isinstance(word, dict) else word
        for word, shown in zip(told, halves, strict=True)
    )


def biography(text: str, symbol: int, step: int = LARGEST, **query: str) -> dict[str, str]:
    """What the view is told of the token that holds a symbol: by term, and why it stands apart."""
    at = visit({"text": text, "token": str(symbol), **query}, {"playground.step": step})
    told = sent(at)["facts"]
    return {term: words(value) for term, value in told["rows"]} | {"apart": " | ".join(map(words, told["apart"]))}


def test_biography_of_a_token():
    told = biography("the newest dog", 5)
    assert told["learnt"] == "at step 15,275 from  new est"
    assert "never published" in told["ties"]
    assert (
        "a pretoken boundary stands between them. GPT-2 splits the text here (rules: letters, then letters)"
        in (told["apart"])
    )


def test_biography_of_our_own_token_has_counts_and_ties():
    told = biography("newest", 3, step=1, tokenizer="trained")
    assert told["learnt"].endswith("seen 9 times")
    assert told["ties"].startswith("as frequent as 2 other pairs: ")
    assert "have not merged yet: that is learnt at step" in told["apart"]


def test_at_first_the_token_of_most_merges_is_chosen_and_none_in_an_empty_text():
    data = sent(visit({"text": "a lighthouse"}))
    assert (data["at"], data["facts"]["at"], data["facts"]["end"]) == (1, 1, 12)
    empty = sent(visit(state=typed("")))
    assert (empty["at"], empty["facts"]) == (-1, None)
    gone = sent(visit({"text": "short", "token": "40"}))
    assert (gone["at"], gone["facts"]["end"]) == (0, 5)


def test_why_two_tokens_did_not_merge():
    gpt2_vocabulary = vocabularies.published("gpt2")
    text = "unlighthouse<|endoftext|>"
    found = gpt2_vocabulary.finder.find(text)
    firsts = [i for i, at in enumerate(found.merged_at) if at > 50_000]
    reasons = [str(neighbours(Place(text, gpt2_vocabulary, found, at, 50_000))) for at in firsts]
    assert all("did not merge" in reason for reason in reasons)
    assert "a special token merges with nothing" in reasons[-1]
    early = Place("the", gpt2_vocabulary, gpt2_vocabulary.finder.find("the"), 0, 0)
    assert "have not merged yet: that is learnt at step" in str(neighbours(early))


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [("[15496, 995]", "Hello world"), ("15496 995 50256", "Hello world<|endoftext|>"), ("", None)],
)
def test_ids_to_text(pasted, expected):
    at = visit(state={"playground.pasted": pasted})
    if expected:
        at.button(key="playground.put").click().run()
        assert sent(at)["text"] == expected
        assert sent(at)["version"] == 2


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        ("12 x", "“x” is not an id"),
        ("50257", "Id 50,257 is not in this vocabulary: its ids end at 50,256."),
        ("-1", "“-1”"),
    ],
)
def test_ids_that_are_none(pasted, message):
    assert message in visit(state={"playground.pasted": pasted}).error[0].value


def test_read_ids_takes_any_list():
    assert read_ids("(1; 2)\n3\t[4]") == [1, 2, 3, 4]


def test_two_tokenizers_compared():
    html = said(visit({"text": "the newest", "against": "newest-widest"}))
    assert "<strong>GPT-2</strong> needs 2 tokens" in html
    assert "differ at" in html
    assert "Both cut the text alike." in said(visit({"text": "the newest", "against": "gpt2"}))


NORMALIZED = {"train.normalizers": ["bert"], "train.corpus": "my-dog"}


@pytest.mark.parametrize("text", ["My DÓG.", *NASTY])
def test_a_tokenizer_that_normalizes_shows_the_text_that_it_sees(text):
    at = visit({"tokenizer": "trained"}, NORMALIZED | typed(text))
    data, seen = sent(at), normalized(paired(text) or EXAMPLE, ("bert",))
    assert (paired(in_editor(at)["text"]), data["text"]) == (paired(text), seen)
    assert data["counts"]["characters"] == len(seen)
    assert ("The tokenizer normalizes the text first" in said(at)) == (seen != (paired(text) or EXAMPLE))


def test_two_tokenizers_that_normalize_in_different_ways():
    html = said(visit({"text": "My DÓG", "against": "trained"}, NORMALIZED))
    assert "no text is common to both" in html
    assert "differ at" in said(visit({"text": "my dog", "against": "trained"}, NORMALIZED))


# --- an opened file ---


def trained_files(format: str, **settings) -> dict[str, bytes]:
    return dumps(train("hug hug pug", Settings(vocab_size=258, **settings)).tokenizer(), format)


def opened(files: dict[str, bytes], at: AppTest | None = None) -> AppTest:
    at = at or visit({"tokenizer": "file", "text": "hug pug"})
    at.file_uploader(key="playground.files").set_value(
        [(name, content, "application/octet-stream") for name, content in files.items()]
    ).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_of_each_format_is_opened(format):
    at = opened(trained_files(format))
    data = sent(at)
    assert (data["text"], data["steps"], data["step"]) == ("hug pug", 2, 2)
    assert data["title"] == " + ".join(trained_files(format))
    assert "258 tokens from" in said(at)
    assert not at.error


def test_a_file_that_is_none_is_said_beside_it_and_nothing_is_lost():
    at = opened(trained_files("minbpe"))
    opened({"**x**.json": b'{"model": {"type": "![](http://x/y.png)"}}'}, at)
    assert [error.value for error in at.error] == [
        r"The model is of the type \'\!\[\]\(http\:\/\/x\/y\.png\)\'\, and not BPE\."
    ]
    assert sent(at)["title"] == "tokenizer.model"
    assert sent(at)["text"] == "hug pug"


def test_files_that_clash_are_named():
    one, other = trained_files("minbpe"), trained_files("tokenizer.json")
    at = opened(one | other, opened(one))
    (error,) = at.error
    assert "tokenizer\\.model" in error.value
    assert "tokenizer\\.json" in error.value
    assert "remove one of them" in error.value
    assert sent(at)["title"] == "tokenizer.model"


def test_until_a_file_is_opened_there_is_another_vocabulary():
    at = visit({"tokenizer": "file", "against": "file", "text": "hug"})
    assert [caption.value for caption in at.caption] == [
        "This is GPT-2 until the file of a tokenizer is opened.",
        "Nothing is compared until the file of a tokenizer is opened.",
    ]
    assert sent(at)["title"] == "GPT-2"


def test_ranks_alone_ask_for_a_cut():
    files = {"mine.tiktoken": trained_files(".tiktoken")["tokenizer.tiktoken"]}
    at = opened(files)
    assert "choose a pretokenizer" in at.error[0].value
    at.selectbox(key="playground.cut").set_value("cl100k").run()
    assert not at.error
    assert sent(at)["title"] == "mine.tiktoken"
    assert "pretokenizer GPT-4 (cl100k)" in said(at)


def test_an_opened_file_is_compared_and_stays_for_the_session():
    at = opened(trained_files("tokenizer.json"), visit({"against": "file", "text": "hug pug"}))
    assert sent(at)["title"] == "GPT-2"
    assert "tokenizer.json" in said(at)
    assert "needs" in said(at)
    at.selectbox(key="playground.against").set_value("none").run()
    at.selectbox(key="playground.tokenizer").set_value("file").run()
    assert not at.exception
    assert sent(at)["title"] == "tokenizer.json"


def test_what_the_view_is_told_of_a_space_put_before_and_of_bytes():
    vocab = {f"<0x{byte:02X}>": byte for byte in range(256)} | {"▁": 256, "h": 257, "i": 258, "hi": 259, "▁hi": 260}
    model = {"type": "BPE", "byte_fallback": True, "vocab": vocab, "merges": [["h", "i"], ["▁", "hi"]]}
    parts = {"model": model, "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "always"}}
    at = opened({"t.json": json.dumps(parts).encode()}, visit({"tokenizer": "file", "text": "hié"}))
    told = sent(at)["tokenizer"]
    assert (told["space_id"], told["byte_ids"], told["base"]["é"]) == (256, [*range(256)], -1)
    rows = np.frombuffer(b64decode(sent(at)["stretches"]), "<i4").reshape(-1, 4)
    assert rows.tolist() == [[0, 3, 5, SPACED]]


@pytest.mark.parametrize("shape", ["roberta", "llama3", "metaspace always", "llama2", "whitespace and signs"])
def test_every_token_of_an_opened_vocabulary_has_a_biography(shape):
    tok = loads({"x": SHAPES[shape]().to_str().encode()})
    vocabulary = vocabularies.Vocabulary("file", "x", "", BoundaryFinder(tok))
    for text in ("The keeper's dog é 🦜", "  a▁b ", "tale<s>tale"):
        found = vocabulary.finder.find(text)
        for step in (0, vocabulary.steps // 2, vocabulary.steps):
            ids = token_table(tok, found, step).ids.tolist()
            for at, token_id in zip(np.flatnonzero(found.merged_at > step).tolist(), ids, strict=True):
                place = Place(text, vocabulary, found, at, step)
                assert place.token_id(place.number) == token_id
                assert all(words for _, words in facts(vocabulary, token_id))
                assert neighbours(place) or len(ids) == 1


def test_white_space_that_a_special_token_takes_is_said_to_be_lost():
    files = trained_files("tokenizer.json", special_tokens=("<mask>",))
    parts = json.loads(files["tokenizer.json"])
    parts["added_tokens"][0]["lstrip"] = True
    at = visit({"tokenizer": "file", "text": "hug  <mask> pug"})
    opened({"tokenizer.json": json.dumps(parts).encode()}, at)
    data = sent(at)
    rows = np.frombuffer(b64decode(data["stretches"]), "<i4").reshape(-1, 4)
    assert rows[:, :2].tolist() == [[0, 3], [5, 11], [11, 15]]
    assert data["special_ids"] == [rows[1, 3]]
    assert "Decoded: hug&lt;mask&gt; pug" in said(at)


@pytest.mark.parametrize("page", ["playground", "pipeline"])
def test_a_pattern_that_takes_too_long_is_a_sentence(monkeypatch, page):
    monkeypatch.setattr("bpe_core.files.pretokenizers_read.CUSTOM_SECONDS", 0.1)
    parts = json.loads(dumps(train("hug", Settings(vocab_size=257)).tokenizer())["tokenizer.json"])
    slow = {"type": "Split", "pattern": {"Regex": "(?:a+)+b|(?:a|a)+c|.+"}, "behavior": "Isolated", "invert": False}
    parts["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [slow, parts["pre_tokenizer"]]}
    opened = vocabularies.opened("file", {"tokenizer.json": json.dumps(parts).encode()}, None)
    at = AppTest.from_file(APP, default_timeout=60).switch_page(f"pages/{page}.py")
    at.query_params["tokenizer" if page == "playground" else "model"] = "file"
    at.query_params["text"] = "a" * 40 + "d"
    at.session_state["file tokenizer"] = opened
    at.run()
    assert not at.exception
    assert "pattern" in at.error[0].value

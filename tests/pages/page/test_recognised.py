"""What your text is, in one line: 60 texts and what each is, the figures, the presses and the ways back."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import Settings, load, train
from bpe_core.chat.templates import read_turns
from bpe_core.counting.other_notations import NOTATIONS
from bpe_core.files import dumps
from bpe_core.text.mended import mended
from pages.parts.page.recognised import COUNTED, KINDS, Asked, recognised
from pages.parts.state import chat_values
from pages.parts.state.links import OWN
from pages.parts.state.tokens_state import Tokens
from pages.parts.state.train_state import Train
from pages.parts.vocabularies import page_vocabulary
from tests.counting.tiktokens import tiktokens
from tests.pages.driver import choose, html, link, type_text, typed, visit
from tests.pages.session import typed_before, value
from tests.some import later, some

ROWS = [{"id": i, "name": f"Name {i}", "town": "Graz"} for i in range(1, 13)]
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What time is it?"},
    {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "clock", "arguments": "{}"}}]},
    {"role": "tool", "content": "12:00"},
]
TOOLS = [{"type": "function", "function": {"name": "clock", "description": "Tells the time."}}]
BLOCKS = [
    {"role": "user", "content": [{"type": "text", "text": "What time is it?"}]},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "clock", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "12:00"}]},
]
SHAREGPT = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]
AGENT = [
    {"type": "summary", "summary": "A clock"},
    {"type": "user", "message": {"role": "user", "content": "What time is it?"}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "A clock."}]}},
]
MINBPE = "minbpe v1\n\n0\n104 117\n"
YAML = "name: trains\nstops:\n  - town: Graz\n    hour: 7\n  - town: Linz\n    hour: 9\n"
VOCABULARY = {"a": 0, "b": 1, "ab": 2}
RANKS = "".join(f"{token} {rank}\n" for rank, token in enumerate(["IQ==", "Ig==", "Iw==", "JA==", "JQ=="] * 5))


def lines(values):
    return "\n".join(map(json.dumps, values))


PASTES = [
    # chats
    ("chat", json.dumps(MESSAGES)),
    ("chat", json.dumps(MESSAGES, indent=2)),
    ("chat", json.dumps({"model": "gpt-4o", "messages": MESSAGES, "tools": TOOLS})),
    ("chat", json.dumps({"system": "Be brief.", "messages": BLOCKS, "max_tokens": 9})),
    ("chat", json.dumps({"instructions": "Be brief.", "input": MESSAGES[1:2]})),
    ("chat", json.dumps({"conversations": SHAREGPT})),
    ("chat", json.dumps(SHAREGPT)),
    ("chat", lines(MESSAGES)),
    ("chat", lines(AGENT)),
    ("chat", lines([{"messages": MESSAGES}, {"messages": MESSAGES[:2]}])),
    ("chat", '[["user", "Hi"], ["assistant", "Hello"]]'),
    # ids
    ("ids", "[15496, 995]"),
    ("ids", "tensor([[15496, 995]], device='cuda:0')"),
    ("ids", '{"input_ids": [15496, 995], "attention_mask": [1, 1]}'),
    ("ids", "15496 995 11 703 389 345 30 198"),
    ("ids", "[" + "7, " * 9_000 + "7]"),
    # files of tokenizers
    ("tokenizer", json.dumps({"version": "1.0", "truncation": None, "model": {"type": "BPE", "vocab": VOCABULARY}})),
    ("tokenizer", json.dumps({"model": {"vocab": VOCABULARY, "merges": ["a b"]}})),
    ("tokenizer", MINBPE),
    ("tokenizer", "".join(f"{token} {rank}\n" for rank, token in enumerate(["IQ=="] * 25))),
    # texts that were decoded wrongly
    ("decoded", "The cafÃ© is closed."),
    ("decoded", "Itâ€™s the keeperâ€™s dog."),
    ("decoded", "Ð”ÐµÑ‚Ð¸ Ñ‡Ð¸Ñ‚Ð°ÑŽÑ‚"),
    ("decoded", "20 Â°C â†’ warm"),
    ("decoded", "caf\udcc3\udca9"),
    ("decoded", "half a \ud83e bird"),
    # data
    ("data", json.dumps(ROWS)),
    ("data", json.dumps({"users": ROWS}, indent=4)),
    ("data", lines(ROWS)),
    ("data", "name,age\nAda,36\nAlan,41\n"),
    ("data", "name;age\nAda;36,5\nAlan;41,0\n"),
    ("data", "name\tage\nAda\t36\n"),
    ("data", YAML),
    ("data", '[{"role": "nurse", "content": "Ada"}, {"role": "cook", "content": "Alan"}]'),
    ("data", '[["red", "blue"], ["low", "high"]]'),
    ("data", '{"a": 1}'),
    # scripts
    ("script", "बच्चे पुराने पेड़ के नीचे एक किताब पढ़ते हैं।"),
    ("script", "क्या यह सच है? Yes."),
    ("word", "日本語の文章を読む。東京は2020年に、とても暑かった。"),
    ("word", "low,lower,lowest"),
    # none of these
    ("", "She said: it is late."),
    ("", "2024"),
    ("", "1,234"),
    ("", "1 2 3"),
    ("", "3.14159"),
    ("", "true"),
    ("", '"role"'),
    ("", "[a link](http://x.example)"),
    ("", "Roses are red, violets are blue,\nSugar is sweet, and so are you."),
    ("", "low, lower newest.\n" * 9),
    ("", "def f(a, b):\n    return {a: b}\n"),
    ("", "foo(a,b)\nbar(c,d)\nbaz(e,f)"),
    ("", "From: Ada\nTo: Alan\nSubject: Trains"),
    ("", "- milk\n- eggs\n- flour"),
    ("", "# Trains\n\n| town | hour |\n|---|---|\n| Graz | 7 |"),
    ("", "Anna 12\nBert 15"),
    ("", "LIBERTÉ» et ÉGALITÉ"),
    ("", "A naïve café, 20 °C – “fine”"),
    ("", "{not json"),
    ("", "孩子们在老树下读一本书。"),
]  # fmt: skip


def on(text, page=Tokens, tokenizer="o200k_base", **chosen):
    vocabulary = page_vocabulary.published(tokenizer) if page is Tokens else None
    return Asked(page(corpus=OWN, text=text, **chosen), vocabulary)


def line(at):
    """The sentence of the line under the box, and the label of its press; "" and "" for none."""
    press = [button for button in at.button if button.key and button.key.startswith("shared.press")]
    notes = [unescape(note) for note in re.findall(r'<p class="note">([^<]+)</p>', html(at))]
    return (notes[-1] if len(notes) == 1 else " ".join(notes), press[0].label) if press else ("", "")


def press(at, start="shared.press"):
    (button,) = (button for button in at.button if button.key and button.key.startswith(start))
    at = button.click().run()
    assert not at.exception
    return at


def test_there_are_sixty_texts_of_every_kind():
    kinds = [kind for kind, _ in PASTES]
    assert len(PASTES) == 60
    assert kinds.count("") == 20
    assert {*kinds} == {*KINDS, ""} - {"mended"}, "a mended text is known by what was before"


@pytest.mark.parametrize(("kind", "text"), PASTES, ids=[f"{kind or 'none'}-{n}" for n, (kind, _) in enumerate(PASTES)])
def test_each_text_is_what_it_is(kind, text):
    found = recognised(on(text, Train if kind == "word" else Tokens))
    assert (found.kind if found else "") == kind
    if found:
        assert re.fullmatch(r"[A-Z0-9].*[^.]\.", found.sentence)


@pytest.mark.parametrize(("kind", "text"), some([each for each in PASTES if each[0] != "word"], 6))
def test_a_page_without_a_tokenizer_says_the_same_without_a_figure_of_tokens(kind, text):
    found = recognised(on(text, Train))
    assert found is None or not re.search(r"\btokens?\b", found.sentence)


def test_an_example_has_no_line():
    assert recognised(Asked(Tokens(corpus="numbers-dates"), page_vocabulary.published("gpt2"))) is None


@pytest.mark.parametrize("name", ["gpt2", later("cl100k_base"), later("o200k_base")])
def test_figures_are_those_of_tiktoken(name):
    count = tiktokens(name)
    title = page_vocabulary.published(name).title.split(" (")[0]
    said = recognised(on(json.dumps(ROWS), tokenizer=name)).sentence
    shorter = min((NOTATIONS[each](ROWS) for each in NOTATIONS if each != "YAML"), key=count)
    assert said == f"JSON: as CSV {count(shorter)} tokens instead of {count(json.dumps(ROWS))}."
    broken = "Itâ€™s the cafÃ©â€™s door. " * 3
    fewer = count(broken) - count(mended(broken).text)
    assert recognised(on(broken, tokenizer=name)).sentence == (
        f"UTF-8 that was read as Latin-1: mended, {fewer} tokens fewer."
    )
    ids = load(name).ids("The keeper's dog")
    assert recognised(on(str(ids), tokenizer=name)).sentence == f"{len(ids)} ids of {title}."
    hindi, english = "बच्चे पुराने पेड़ के नीचे एक किताब पढ़ते हैं।", "The children read a book under the old tree."
    times = f"{count(hindi) / count(english):.1f}"
    assert recognised(on(hindi, tokenizer=name)).sentence == (
        f"{title} writes Hindi in {times} times the tokens of English."
    )


def test_what_is_too_long_or_not_certain_has_no_figure():
    rows = [{"id": i, "town": "Graz"} for i in range(2_000)]
    assert len(json.dumps(rows)) > COUNTED
    assert recognised(on(json.dumps(rows))).sentence == "JSON."
    with_special = json.dumps([{"id": 1, "said": "<|endoftext|>"}, {"id": 2, "said": "no"}])
    assert recognised(on(with_special)).sentence == "JSON.", "a page counts it in two ways"
    assert recognised(on("name,age\nAda,36\nAlan,41")).sentence == "CSV.", "no notation is shorter"
    assert recognised(on("[1, 2, 900000]")).sentence == "3 ids, 1 of which GPT-4o lacks."


def test_a_chat_of_many_turns_says_how_many_open():
    said = recognised(on(json.dumps(MESSAGES * 40))).sentence
    assert said == "A chat of 160 turns, of which the first 100 open."
    assert recognised(on(lines([{"messages": MESSAGES}] * 3))).sentence == "A chat of 4 turns, the first of 3."
    assert (
        recognised(on(json.dumps({"messages": MESSAGES, "tools": TOOLS}))).sentence == "A chat of 4 turns with tools."
    )


@pytest.mark.parametrize("text", [text for kind, text in PASTES if kind == "chat"])
def test_the_turns_of_a_chat_have_all_its_texts(text):
    turns = read_turns(chat_values.in_text(text).turns)
    written = json.dumps([(turn.content, turn.given) for turn in turns], ensure_ascii=False)
    for said in ("What time is it?", "Be brief.", "12:00", "A clock.", "Hello"):
        if f'"{said}"' in text:
            assert said in written, "except what is no turn"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_a_text_that_is_mended_is_what_it_was(text):
    broken = "".join(map(chr, f"é {text}".encode()))
    found = mended(broken)
    assert found is None or (found.text == f"é {text}" and found.text.encode() == bytes(map(ord, broken)))


def test_a_chat_opens_as_one_and_its_text_stays():
    text = json.dumps({"messages": MESSAGES, "tools": TOOLS})
    at = visit({"tokenizer": "qwen"}, typed_before(text))
    assert line(at)[1] == "Open it as one"
    at = press(at)
    assert "See a chat as the model does" in html(at)
    assert [box.value for box in at.text_area if box.label.startswith("Turn ")] == [
        "Be brief.",
        "What time is it?",
        "",
        "12:00",
    ]
    assert "1 tool: clock" in html(at)
    assert value(at, "shared.text") == text
    back = at.switch_page("app.py").run()
    assert typed(back) == text
    assert line(back)[1] == "Open it as one"


@pytest.mark.parametrize(("kind", "text"), some([each for each in PASTES if each[0] not in ("", "word")], 24))
def test_a_press_loses_no_character(kind, text):
    at = press(visit({"tokenizer": "o200k_base"}, typed_before(text)))
    if kind == "decoded":
        assert value(at, "shared.text") == mended(text).text
        assert line(at) == ("Mended.", "Put the text back as it was")
        at = press(at)
    assert value(at, "shared.text") == text


def test_data_is_counted_in_other_notations():
    at = press(visit({"tokenizer": "gpt2"}, typed_before(json.dumps(ROWS))))
    tokens = load("gpt2").count(NOTATIONS["CSV"](ROWS))
    assert f"your text.json: {tokens} tokens of GPT-2 as CSV" in html(at)


def test_ids_are_read_and_a_script_leads_to_languages():
    at = press(visit({"tokenizer": "qwen"}, typed_before("[64, 53122, 316]")))
    assert link(at)["view"] == "ids"
    assert line(at) == ("", ""), "they are read already"
    at = press(visit({"tokenizer": "gpt2"}, typed_before("बच्चे पुराने पेड़ के नीचे")))
    assert (link(at)["view"], link(at)["compared"]) == ("side-by-side", "languages")
    assert "Hindi needs 7.2 times as many tokens as English" in html(at)


def test_a_tokenizer_opens_or_says_why_not():
    (content,) = dumps(train("low lower lowest", Settings(vocab_size=260)).tokenizer(), "tokenizer.json").values()
    at = visit({}, typed_before(content.decode()))
    assert line(at) == ("A tokenizer.json.", "Open it")
    at = press(at)
    assert "Look into a tokenizer" in html(at)
    assert value(at, "tokenizers.tokenizer") == "file pasted tokenizer.json"
    at = press(visit({}, typed_before(json.dumps({"model": {"type": "BPE", "vocab": {"a": "b"}}}))))
    assert 'class="problem"' in html(at)


def test_a_line_that_was_dismissed_stays_away_for_that_text_alone():
    at = press(visit({}, typed_before("[15496, 995]")), "shared.dismiss")
    assert line(at) == ("", "")
    at = at.run()
    assert line(at) == ("", "")
    at = type_text(at, "[995, 15496]")
    assert line(at)[1] == "Read them"
    at = type_text(at, "[15496, 995]")
    assert line(at) == ("", "")
    assert line(choose(at, "my-dog")) == ("", "")


def test_markup_in_a_text_is_no_markup_in_the_line():
    at = visit({}, typed_before(json.dumps({"messages": [{"role": "user", "content": "<script>x</script>"}]})))
    assert line(at)[0] == "A chat of 1 turn."
    assert "<script>x" not in html(at)

"""The price of a language: the same sentence in several languages, under several tokenizers, as bars."""

import vl_convert

from pages.parts.page.chosen_vocabulary import vocabulary_of
from pages.parts.texts.examples import SENTENCES
from pages.parts.tokens.languages import bar_rows, bars, in_money, left_out, price, prices_table, sentence, sentences
from pages.parts.ui import charts
from pages.parts.vocabularies import page_vocabulary
from tests.pages.driver import html, link, sent, visit
from tests.pages.learn.page_parts import read

GPT2 = page_vocabulary.published("gpt2")
EIGHT = sentences("")


def test_a_bar_for_each_language_and_tokenizer():
    found = [price(vocabulary, EIGHT) for vocabulary in (GPT2, vocabulary_of("bert"))]
    gpt2, bert = found
    sizes = {each.name: len(GPT2.tokenizer.ids(each.text)) for each in EIGHT}
    assert dict(zip(sizes, gpt2.tokens, strict=True)) == sizes
    assert list(gpt2.times) == [size / sizes["English"] for size in sizes.values()]
    lost = [vocabulary_of("bert").tokenizer.encode(each.text).walk.lost.any() for each in EIGHT]
    assert [size is None for size in bert.tokens] == lost
    assert any(lost)
    rows = read(bars(EIGHT, found)).rows
    assert [[cell.text.split()[0] for cell in row] for row in rows] == [
        [str(one), "loses" if other is None else str(other)]
        for one, other in zip(gpt2.tokens, bert.tokens, strict=True)
    ]
    cost = f"{sizes['Hindi'] / sizes['English']:.1f}"
    assert sentence(EIGHT, [gpt2, gpt2]) == (
        f"For the same sentence, Hindi needs {cost} times as many tokens as English with GPT-2 and {cost} times with "
        "GPT-2."
    )
    hindi = f"${10 * sizes['Hindi'] / sizes['English']:.2f} in Hindi with GPT-2."
    assert in_money(EIGHT, [gpt2], "10") == f"At $10 a million tokens, what costs $10.00 in English costs {hindi}"
    frame = prices_table(EIGHT, found)
    assert frame["GPT-2, English = 1"].tolist() == [round(times, 2) for times in gpt2.times]
    assert frame["BERT (uncased)"].isna().tolist() == lost


def test_bars_share_one_scale_and_mark_what_is_more_than_the_first():
    both = sentences("A: low\nB: low low low\nC: lo")
    sizes = price(GPT2, both).tokens
    widths = [
        [float(part.split("%")[0]) for part in row.split("width: ")[1:]]
        for row in str(bars(both, [price(GPT2, both)])).split('scope="row"')[1:]
    ]
    expected = [[min(size, sizes[0]), max(0, size - sizes[0])] for size in sizes]
    assert expected[1][1]
    assert widths == [[round(100 * size / max(sizes), 2) for size in row] for row in expected]
    unnamed = sentences("A: low\nB: low low low\nC:  ")  # a name without a sentence is none
    assert [each.name for each in unnamed] == ["“A: low”", "“B: low low low”", "“C:”"]


def test_lines_of_a_script_without_spaces_are_joined_without_one():
    lines = ["今天下雨。", "带上你的雨伞。", "我们走吧。"]
    typed = "\n".join(f"{name}{line}" for line in lines for name in ("Chinese: ", "中文："))
    assert [(each.name, each.text) for each in sentences(typed)] == [
        ("Chinese", "".join(lines)),
        ("中文", "".join(lines)),
    ]


def test_no_sentence_is_said_to_need_more_where_none_does_and_none_is_left_out_in_silence():
    equal = sentences("A: low\nB: low")
    assert sentence(equal, [price(GPT2, equal)]) == "No sentence needs more tokens here than A."
    lost = sentences("🦜\nlow")
    assert sentence(lost, [price(vocabulary_of("bert"), lost)]).startswith("Each tokenizer loses a part")
    assert (len(sentences("low\n" * 43)), left_out("low\n\n" * 43), left_out("low")) == (40, 3, 0)


def test_the_picture_has_the_bars_of_the_page():
    named = sentences("<b>A</b>: low 🦜\nB: low low low\nC: 🦜")
    found = [price(GPT2, named), price(vocabulary_of("bert"), sentences("low\nlow low\n🦜"))]
    rows = bar_rows(named, found)
    assert rows["tokens"].tolist()[::2] == list(found[0].tokens)
    assert rows["same"].tolist()[::2] == [min(size, found[0].tokens[0]) for size in found[0].tokens]
    assert rows["label"].tolist()[1::2] == ["1 · 1.00 ×", "2 · 2.00 ×", "loses a part of it"]
    svg = vl_convert.vegalite_to_svg(charts.standalone(charts.prices(rows), "dark"))
    assert "&lt;b&gt;A&lt;/b&gt;" in svg
    assert "loses a part of it" in svg


def test_ones_own_sentences_are_escaped_in_the_link_and_there_after_a_reload():
    own = "English: The <b>tree</b>.\nGerman: Der Baum, der Baum."
    at = visit({"tokenizer": "gpt2", "view": "side-by-side", "compared": "languages", "sentences": own})
    assert [row["name"] for row in sent(at)["rows"]] == ["English", "German"]
    assert "<b>tree" not in html(at)
    assert link(at)["sentences"] == own
    next(button for button in at.button if button.label == "The eight sentences again").click().run()
    assert "sentences" not in link(at)
    assert [row["name"] for row in sent(at)["rows"]] == [line.split(":")[0] for line in SENTENCES.splitlines()]

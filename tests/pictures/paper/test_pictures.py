"""Pictures of tokens, trees and steps: everything is in them, and every program can read them."""

import ast
import os
import re
import shutil
import sys
from io import BytesIO
from xml.etree import ElementTree

import pytest
import vl_convert
from PIL import Image, ImageOps

from bpe_core import Settings, train
from bpe_core.pictures.film.film_side import RunSide
from bpe_core.pictures.paper import html, svg
from bpe_core.pictures.paper.latex import latex
from bpe_core.pictures.paper.pictures import PICTURES, picture
from bpe_core.pictures.shared import drawing
from bpe_core.pictures.shared.colours import INK
from bpe_core.pictures.shared.drawing import Appearance, Drawing, chips, step_drawing, text_drawing, token_drawing
from bpe_core.pictures.shared.layout import SIZES, layout
from bpe_core.pictures.shared.style import PAPER
from bpe_core.pictures.shared.token_text import token_text
from bpe_core.published import PUBLISHED
from bpe_core.text.rules import Pretoken
from tests.children import ran
from tests.pictures.markup import Markup
from tests.some import some
from tests.texts import EXAMPLE_TEXTS, NASTY

SVG = "{http://www.w3.org/2000/svg}"
STORY = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=600))
GPT2 = PUBLISHED["gpt2"].load()
WHITE = '<rect width="100%" height="100%" fill="#fff"/>'
LATEX = [name for name in ("pdflatex", "lualatex", "xelatex") if shutil.which(name)]


def text_picture(tokenizer, text):
    encoding = tokenizer.encode(text, specials=True)
    return text_drawing(text, encoding.tokens, encoding.ids)


def test_what_the_vocabulary_cannot_write_looks_like_no_token_in_any_picture():
    encoding = PUBLISHED["bert"].load().encode("a 🦜")
    drawn = text_drawing("a 🦜", encoding.drawn, encoding.ids, "##", encoding.lost, "[UNK]")
    made = {kind: picture(drawn, kind).decode() for kind in ("svg", "html", "tex")}
    assert made["svg"].count('fill="none" stroke=') == made["svg"].count('text-decoration="line-through"') == 1
    assert '<span class="token unknown"><del>🦜</del><sub>[UNK]</sub></span>' in made["html"]
    assert ".token.unknown del" in made["html"]
    assert made["tex"].count(r"\tokenlost{") == 1
    assert r"\providecommand\tokenlost" in made["tex"]
    assert all("[UNK]" in content for content in made.values())


def drawings(text):
    run = train(text, Settings("none", vocab_size=300))
    last = run.base + run.steps - 1
    return [text_picture(GPT2, text), token_drawing(run.tokenizer(), last), step_drawing(run, run.steps)]


@pytest.mark.parametrize("text", [*some(NASTY, 2), "\ufffe\uffff"])
def test_every_text_can_be_drawn(text):
    for drawn in drawings(text):
        root = ElementTree.fromstring(picture(drawn, "svg"))
        shown = [element.text for element in root.iter(f"{SVG}text")]
        assert all(shown)
        assert root.find(f"{SVG}script") is None
        assert "<b>" not in picture(drawn, "html").decode()


def test_a_text_is_no_markup_wherever_the_html_has_it():
    text = """<b id="x" class='y'>&amp;"""
    token = text.encode()
    made = [
        html.text_tokens([token], [7], marks=[("", text)]),
        html.text_tokens([token], [-1], lost_name=text),
        html.token_list(text, [token], kind=lambda _: text),
        html.pretokens(text * 2, [Pretoken(text, 0, len(text), text)], text),
        html.words([([token], 1)], [True], name=text),
    ]
    for each in made:
        assert "<b" not in each
        found = Markup(each).elements
        assert {name for element in found for name in element.attributes} <= {
            "class", "title", "tabindex", "role", "aria-label",
        }  # fmt: skip
        named = [element.attributes.get(name, "") for element in found for name in ("title", "aria-label")]
        assert any(text in value for value in named)


def test_the_tokens_of_a_text_are_all_there_in_order():
    encoding = GPT2.encode(EXAMPLE_TEXTS["short-story"][:2000])
    root = ElementTree.fromstring(picture(text_picture(GPT2, encoding.text), "svg"))
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert shown[::2] == [token_text(token) for token in encoding.tokens]
    assert shown[1::2] == [str(i) for i in encoding.ids]


@pytest.mark.parametrize("text", ["WWWW", "🦜🦜🦜", "नमस्ते", "ខ្មែរ", "ⅷ", "\ufffe"])
def test_a_text_fits_its_chip(text):
    (box,) = layout(Drawing("one", (chips([text.encode()]),))).boxes
    page = f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="40">{WHITE}{{}}</svg>'
    middle = f'x="300" y="20" font-family="monospace" font-size="{SIZES.chip_font.size}" text-anchor="middle"'
    drawn = page.format(f"<text {middle}>{box.text}</text>")
    left, _, right, _ = ImageOps.invert(Image.open(BytesIO(vl_convert.svg_to_png(drawn))).convert("L")).getbbox()
    assert 300 - box.width / 2 <= left < right <= 300 + box.width / 2


def test_chips_lie_beside_each_other_within_the_picture():
    found = layout(text_picture(GPT2, EXAMPLE_TEXTS["many-languages"]))
    for one, other in zip(found.boxes, found.boxes[1:], strict=False):
        assert (one.y == other.y and one.x + one.width < other.x) or one.y < other.y
    assert max(box.x + box.width for box in found.boxes) <= found.width <= SIZES.width
    assert max(box.y for box in found.boxes) < found.height


def test_a_tree_has_every_merge_with_its_step():
    tokenizer = STORY.tokenizer()
    (made,) = tokenizer.encode(" lighthouse").ids
    found = layout(token_drawing(tokenizer, made))
    steps = {box.text: box.chip.below for box in found.boxes if box.chip.below}
    assert steps == {token_text(tokenizer.tokens[255 + k]): f"step {k}" for k in tree_steps(tokenizer, made)}
    leaves = sorted((box.x, box.text) for box in found.boxes if not box.chip.halves)
    assert "".join(text for _, text in leaves) == "·lighthouse"
    assert len(found.edges) == len(found.boxes) - 1


def tree_steps(tokenizer, token_id):
    """The steps of a token and of all it was made from."""
    made = tokenizer.origin(token_id)
    return {made[2], *tree_steps(tokenizer, made[0]), *tree_steps(tokenizer, made[1])} if made else set()


@pytest.mark.parametrize("text", ["नमस्ते", "a🦜b", " 🦜"])
def test_tokens_of_one_character_stand_above_a_bracket_with_it(text):
    tokenizer = train("", Settings("none")).tokenizer()  # a token is a byte
    drawn = text_picture(tokenizer, text)
    shown = [char if char[0] != "◌" else char[1] for char in labels(drawn)]
    assert shown == [char for char in text if not char.isascii()]
    found = layout(drawn)
    for bracket, label in zip(found.brackets, found.labels, strict=True):
        above = [box for box in found.boxes if box.y == label.y and bracket.x <= box.x < bracket.to_x]
        assert b"".join(box.chip.token for box in above).decode() in label.text
        assert max(box.x + box.width for box in above) < label.x < bracket.to_x
    html, tex = (picture(drawn, kind).decode() for kind in ("html", "tex"))
    for char in shown:
        assert re.search(f'<span class="of">= ◌?{char}</span>', html)
        assert f"\\tokenchar{{{ord(char):04X}}}{{{char}}}}}}}" in tex  # the end of \tokenfit{\tokenwhole{…}{…}}


def labels(drawn):
    """Return the characters that the picture has after its tokens."""
    shown = (element.text for element in ElementTree.fromstring(picture(drawn, "svg")).iter(f"{SVG}text"))
    return [text.removeprefix("= ") for text in shown if text.startswith("= ")]


def test_a_character_of_more_tokens_than_a_line_holds_has_a_bracket_in_each_line():
    bird = "🦜".encode()
    found = layout(text_drawing("", [b"a", bird[:2], *[bird[2:] + bird[:2]] * 30, bird[2:]], range(33)))
    assert len({box.y for box in found.boxes}) == len(found.brackets) > 1
    assert found.width <= SIZES.width


def shown(row):
    """Return a row as text."""
    return [
        item if isinstance(item, str) else item.text if isinstance(item, drawing.Heading) else item.token
        for item in row
        if not isinstance(item, drawing.Bar)
    ]


@pytest.mark.parametrize("step", [0, 1, 40, STORY.steps])
def test_a_step_is_drawn_with_its_corpus_its_pairs_and_its_history(step):
    heading, settings, joined, columns = step_drawing(STORY, step).rows
    corpus, pairs, history = columns.columns
    assert shown(heading) == [f"Step {step} of 344 merges"]
    assert settings == ("Split by: GPT-2 · Vocabulary size: 600",)
    assert shown(corpus[0]) == ["Corpus", f"{STORY.corpus_tokens[step]:,} tokens"]
    changed = set(STORY.changed(step).tolist()) if step else set()
    words = {(tuple(tokens), f"{count:,} ×") for tokens, count in STORY.words(step)}
    listed = [shown(row) for row in corpus[1:-1]]
    assert all((tuple(tokens), count) in words for count, *tokens in listed)
    new = [any(chip.new for chip in row[1:]) for row in corpus[1:-1]]
    assert new == sorted(new, reverse=True)
    assert sum(new) == min(len(changed), drawing.MOST_WORDS)
    counts = STORY.pair_counts(step, drawing.MOST_WORDS)
    assert [shown(row)[:3] for row in pairs[1:-1]] == [[f"{n:,} ×", left, right] for left, right, n in counts]
    assert [row[0].share for row in pairs[1:-1]] == [count / counts[0].count for *_, count in counts]
    if step < STORY.steps:
        (ahead,) = [row for row in pairs[1:-1] if row[-1] == "next"]
        assert shown(ahead)[1:3] == list(STORY.merges[step][:2])
    steps = range(step, max(step - drawing.MOST_WORDS, 0), -1)
    made = [STORY.merges[number - 1] for number in steps]
    assert [shown(row) for row in history[1:]] == [
        [f"{number}", f"{merge.count:,} ×", merge.left, merge.right, "→", merge.token]
        for number, merge in zip(steps, made, strict=True)
    ] or (step, history[1]) == (0, ("None made yet.",))
    if step == 40:
        assert shown(joined) == ["joined", b"o", "+", b"r", "→", b"or", "seen 26 times", "tied with 2 other pairs"]


def test_a_picture_before_the_first_merge_says_what_the_film_says():
    grown = "Before any new merge: every word is written in the tokens of GPT-2."
    lines = "Before any merge: every line is split into single symbols."
    for settings, said in {Settings(vocab_size=50_258, start="gpt2"): grown, Settings("line"): lines}.items():
        run = train("a parrot", settings)
        assert step_drawing(run, 0).rows[2] == (said,)
        assert RunSide(run, "").chunk(0)["frames"][0]["sentence"] == [said]
    crossing = train("a b a b", Settings(vocab_size=257, then_across_words_from=256))  # nothing is joined within words
    (said,) = step_drawing(crossing, 0).rows[2]
    assert said.startswith("The walls between words have fallen")


def test_columns_are_side_by_side_where_there_is_room():
    drawn = step_drawing(STORY, 40)
    wide, narrow = layout(drawn), layout(drawn, 400)
    assert len({words.y for words in wide.headings[1:]}) == 1
    assert len({words.x for words in narrow.headings}) == 1
    assert 400 < wide.width <= 900
    assert narrow.width <= 400
    assert wide.height < narrow.height
    for found in (wide, narrow):
        assert all(box.y + SIZES.chip < found.height for box in found.boxes)


def test_what_does_not_fit_is_said(monkeypatch):
    monkeypatch.setattr(drawing, "MOST_TOKENS", 3)
    monkeypatch.setattr(drawing, "MOST_WORDS", 2)
    assert text_picture(GPT2, "one two three four five").rows[-1] == ("and 2 more tokens",)
    assert [column[-1] for column in step_drawing(STORY, 40).rows[-1].columns[:2]] == [
        ("and 430 more words",),
        ("and 542 more pairs",),
    ]
    one_word = step_drawing(train("ab" * 500, Settings("none", vocab_size=257)), 1).rows[-1].columns[0][1]
    assert (len(one_word), one_word[-1]) == (1 + drawing.WORD_TOKENS + 1, "and 440 more tokens")
    long = text_picture(train("a" * 300, Settings("none", vocab_size=264)).tokenizer(), "a" * 300)
    assert layout(long).boxes[0].text == "a" * drawing.MOST_BYTES + "…"


def test_a_text_without_tokens_has_a_picture_too():
    drawn = text_picture(GPT2, "")
    assert drawn.rows == (("no tokens",),)
    assert Image.open(BytesIO(picture(drawn, "png"))).width > 2 * SIZES.edge


def test_a_picture_is_never_very_large(monkeypatch):
    drawn = text_picture(GPT2, "\n\n" * 400)
    assert len(drawn.rows) == drawing.MOST_ROWS + 1
    tokens = sum(isinstance(item, drawing.Chip) for row in drawn.rows for item in row)
    assert drawn.rows[-1] == (f"and {len(GPT2.ids(chr(10) * 800)) - tokens} more tokens",)
    monkeypatch.setattr(svg, "MOST_PIXELS", 50_000)
    width, height = Image.open(BytesIO(picture(drawn, "png"))).size
    assert 40_000 < width * height < 60_000


def test_a_png_has_the_colours_of_the_svg():
    drawn = step_drawing(STORY, 40)
    pixels = Image.open(BytesIO(picture(drawn, "png"))).convert("RGB")
    wanted = {re.search("fill=.(#......)", line)[1] for line in picture(drawn, "svg").decode().split("<rect")[2:]}
    there = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in pixels.getcolors(1 << 20)}
    assert wanted <= there
    assert pixels.size == tuple(2 * round(size) for size in (layout(drawn).width, layout(drawn).height))


def test_a_picture_is_light_or_dark_or_has_no_ground():
    drawn = text_picture(GPT2, "a dog " * 30)
    plain, dark, none = (
        picture(drawn, "svg", appearance).decode()
        for appearance in (Appearance(), Appearance(dark=True), Appearance(transparent=True))
    )
    assert PAPER["light"] in plain
    assert INK["light"] in plain
    assert PAPER["dark"] in dark
    assert INK["dark"] in dark
    assert INK["light"] not in dark
    assert "100%" not in none
    assert Image.open(BytesIO(picture(drawn, "png", Appearance(transparent=True)))).getpixel((0, 0))[3] == 0
    assert Image.open(BytesIO(picture(drawn, "png", Appearance(width=300, scale=3)))).width <= 900


NO_FONTS = """
import sys
from bpe_core.pictures.shared.drawing import Drawing, chips
from bpe_core.pictures.paper.svg import replaced
from bpe_core.pictures.paper.pictures import picture

english, hindi = (Drawing("one", (chips([text.encode()]),)) for text in ("keeper", "न⏎"))
sys.stdout.buffer.write(picture(english, "png") + b"SAID" + repr(replaced(hindi)).encode())
"""


def test_without_fonts_english_is_written_and_another_script_is_named(tmp_path):
    empty = tmp_path / "fonts.conf"
    empty.write_text(f"<fontconfig><dir>{tmp_path}</dir></fontconfig>", encoding="utf-8")
    environment = os.environ | {"FONTCONFIG_FILE": str(empty), "PYTHONIOENCODING": "utf-8"}
    done = ran([sys.executable, "-c", NO_FONTS], env=environment, capture_output=True, check=True)
    image, _, said = done.stdout.partition(b"SAID")
    ink = Image.open(BytesIO(image)).convert("L").point(lambda grey: 255 * (grey < 90)).getbbox()
    assert ink
    assert ink[2] - ink[0] > 60
    codes, sentences = ast.literal_eval(said.decode())
    assert codes[ord("न")] in ("⟨0928⟩", "<0928>")
    assert codes[ord("⏎")] == "¶"
    assert sentences[0] == "No font on this machine has Devanagari."


def test_a_png_has_the_code_point_of_a_character_that_no_font_has(monkeypatch):
    monkeypatch.setattr(svg, "has_glyph", lambda char: char != "न")
    drawn = []
    monkeypatch.setattr(svg, "layout", lambda *given: drawn.append(layout(*given)) or drawn[-1])
    assert picture(text_picture(train("", Settings("none")).tokenizer(), "न 🦜"), "png")
    assert [label.text for label in drawn[0].labels] == ["= ⟨0928⟩", "= 🦜"]
    assert "No font on this machine has Devanagari." in [words.text for words in drawn[0].words]


def test_words_have_the_room_of_any_font():
    page = ElementTree.fromstring(picture(step_drawing(STORY, 40), "svg"))
    texts = [(text.text, text.get("textLength")) for text in page.iter(f"{SVG}text")]
    assert all(length for text, length in texts if text.isascii() and len(text) > 1)
    boxes = {box.text: box for box in layout(step_drawing(STORY, 40)).boxes}
    assert all(float(length) < boxes[text].width for text, length in texts if text in boxes and length)


@pytest.mark.parametrize("program", LATEX or ["latex"])
def test_latex_compiles_and_leaves_no_character_out(program, tmp_path):
    if not LATEX:
        pytest.skip("no LaTeX found (Debian: texlive-latex-recommended)")
    texts = "\n".join([*NASTY, "\ufffe\U0010ffff", *(text[:200] for text in EXAMPLE_TEXTS.values())])
    rows = [row for one in (*drawings(texts)[:2], step_drawing(STORY, 40)) for row in one.rows]
    (tmp_path / "all.tex").write_text(latex(Drawing("all", tuple(rows))), encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = ran(command, cwd=tmp_path, capture_output=True)
    log = (tmp_path / "all.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Missing character" not in log
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("program", LATEX or ["latex"])
def test_a_paper_takes_fragments_of_latex(program, tmp_path):
    if not LATEX:
        pytest.skip("no LaTeX found (Debian: texlive-latex-recommended)")
    fragment = latex(text_picture(GPT2, "a dog 🦜"), Appearance(fragment=True))
    (tmp_path / "tokens.tex").write_text(fragment, encoding="utf-8")
    packages = r"\documentclass{article}\usepackage{xcolor,graphicx}\usepackage[T1]{fontenc}"
    (tmp_path / "paper.tex").write_text(packages + r"\begin{document}\input{tokens}\input{tokens}\end{document}")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = ran(command, cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stdout[-2000:]


def test_latex_has_every_character_with_its_code_point():
    tex = latex(text_picture(GPT2, "50% of $x_1 ~ é {a}\\b -- #&^"))
    body = tex.partition("\\begin{document}")[2]
    for wanted in (
        r"50\%",
        r"\$",
        r"\_",
        r"\textasciitilde{}",
        r"\tokenchar{00E9}{é}",
        r"\{",
        r"\textbackslash{}",
        r"\#\&",
    ):
        assert wanted in re.sub(r"\}\{\d+\}%\n\\token\{token\d+.\}\{token\d+.\}\{", "", body)
    assert set(PICTURES) == {"svg", "png", "html", "tex"}

"""Pictures of tokens, trees and steps: everything is in them, and every program can read them."""

import re
import shutil
import subprocess
from io import BytesIO
from xml.etree import ElementTree

import pytest
import vl_convert
from PIL import Image, ImageOps

from bpe_core import Settings, train
from bpe_core.display import drawing, svg
from bpe_core.display.drawing import Drawing, chips, step_drawing, text_drawing, token_drawing
from bpe_core.display.latex import latex
from bpe_core.display.layout import SIZES, layout
from bpe_core.display.pictures import PICTURES, picture
from bpe_core.display.token_text import token_text
from bpe_core.published import PUBLISHED
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
    assert r"\newcommand\tokenlost" in made["tex"]
    assert all("[UNK]" in content for content in made.values())


def drawings(text):
    run = train(text, Settings("none", vocab_size=300))
    last = run.base + run.steps - 1
    return [text_picture(GPT2, text), token_drawing(run.tokenizer(), last), step_drawing(run, run.steps)]


@pytest.mark.parametrize("text", [*NASTY, "\ufffe\uffff"])
def test_every_text_can_be_drawn(text):
    for drawn in drawings(text):
        root = ElementTree.fromstring(picture(drawn, "svg"))
        shown = [element.text for element in root.iter(f"{SVG}text")]
        assert all(shown)
        assert root.find(f"{SVG}script") is None
        assert "<b>" not in picture(drawn, "html").decode()


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


def test_a_step_shows_the_words_that_it_changed():
    rows = step_drawing(STORY, 40).rows
    assert [item if isinstance(item, str) else item.token for item in rows[0]] == [
        "Step 40 of 344 joined", b"o", "+", b"r", "→", b"or", "seen 26 times",
    ]  # fmt: skip
    counts = [int(row[0].split()[0]) for row in rows[1:]]
    assert sum(counts) == STORY.merges[39].count
    assert all(any(chip.new and chip.token == b"or" for chip in row[1:]) for row in rows[1:])


def test_what_does_not_fit_is_said(monkeypatch):
    monkeypatch.setattr(drawing, "MOST_TOKENS", 3)
    monkeypatch.setattr(drawing, "MOST_WORDS", 2)
    assert text_picture(GPT2, "one two three four five").rows[-1] == ("and 2 more tokens",)
    assert step_drawing(STORY, 40).rows[-1] == ("and 8 more words that it changed",)
    one_word = step_drawing(train("ab" * 500, Settings("none", vocab_size=257)), 1).rows[1]
    assert (len(one_word), one_word[-1]) == (1 + drawing.WORD_TOKENS + 1, "and 300 more tokens")
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


@pytest.mark.parametrize("program", LATEX or ["latex"])
def test_latex_compiles_and_leaves_no_character_out(program, tmp_path):
    if not LATEX:
        pytest.skip("no LaTeX found (Debian: texlive-latex-recommended)")
    texts = "\n".join([*NASTY, "\ufffe\U0010ffff", *(text[:200] for text in EXAMPLE_TEXTS.values())])
    rows = [row for one in (*drawings(texts)[:2], step_drawing(STORY, 40)) for row in one.rows]
    (tmp_path / "all.tex").write_text(latex(Drawing("all", tuple(rows))), encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True)
    log = (tmp_path / "all.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Missing character" not in log
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")


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

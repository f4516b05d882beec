r"""A drawing as LaTeX, for a paper: text that flows into its column, not a picture of text.

The LaTeX needs only xcolor and graphicx, and compiles with pdfLaTeX, LuaLaTeX and XeLaTeX. A character that the font
does not have is written as its code point. The font of pdfLaTeX has the accented letters of Latin script; LuaLaTeX and
XeLaTeX take the document's font. Marks for white space are drawn with TeX's own signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bpe_core.pictures.shared.colours import INK, SOFT, hue, palette
from bpe_core.pictures.shared.drawing import Appearance, Bar, Chip, Columns, Drawing, Heading, Item, Row, chips_of
from bpe_core.pictures.shared.style import ACCENT, HAIR

_PREAMBLE = r"""% %TITLE%
% Compile it with pdfLaTeX, LuaLaTeX or XeLaTeX. For a paper of your own, take the lines from \usepackage on to
% \begin{document} into its preamble, and those up to \end{document} into its text.
\documentclass{article}
\pagestyle{empty}
\usepackage{xcolor,graphicx}
\ifdefined\Umathcode\else\usepackage[T1]{fontenc}\fi
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
"""
_NO_PREAMBLE = r"""% %TITLE%
% \input this file where the tokens belong. The preamble needs \usepackage{xcolor,graphicx}, and for pdfLaTeX
% \usepackage[T1]{fontenc}.
"""
_COMMANDS = r"""\definecolor{tokenink}{HTML}{%INK%}
\definecolor{tokensoft}{HTML}{%SOFT%}
\definecolor{tokennew}{HTML}{%ACCENT%}
%COLOURS%
% a character and its code point, which stands for it where the font does not have it
\providecommand\tokencode[1]{{\tiny U+#1\hskip.2em}}
\providecommand\tokenchar[2]{\ifdefined\Umathcode
  \iffontchar\font"#1 #2\else\tokencode{#1}\fi
  \else\ifcsname u8:\detokenize{#2}\endcsname #2\else\tokencode{#1}\fi\fi}
\providecommand\tokenmark[1]{{\color{tokensoft}#1}}
\providecommand\tokenhex[1]{{\scriptsize #1}}
% a token: its colour, the colour of its frame, its text, what stands below it
\providecommand\token[4]{{\fboxsep=1.5pt\fboxrule=.6pt%
  \begin{tabular}[t]{@{}c@{}}\fcolorbox{#2}{#1}{\strut\color{tokenink}\ttfamily #3}%
  \ifx\relax#4\relax\else\\[-1pt]{\tiny #4}\fi\end{tabular}}%
  \hskip 1pt plus 1pt\relax}
% a token of a tree: the token, its halves
\providecommand\tokentree[2]{\begin{tabular}[t]{@{}c@{}}#1\\[-4pt]\downbracefill\\#2\end{tabular}\hskip 2pt\relax}
% tokens that are parts of the same character: the tokens, the character
\providecommand\tokenwhole[2]{\begin{tabular}[t]{@{}c@{}}#1\\[-3pt]\upbracefill\\[-1pt]{\scriptsize\ttfamily #2}%
  \end{tabular}\hskip 2pt plus 1pt\relax}
\ifdefined\tokenbox\else\newsavebox\tokenbox\fi
\providecommand\tokenfit[1]{\sbox\tokenbox{#1}\ifdim\wd\tokenbox>\linewidth
  \resizebox{\linewidth}{!}{\usebox\tokenbox}\else\usebox\tokenbox\fi}
%LOST%%BAR%"""
_ROWS = r"""\begingroup\raggedright\setlength\parindent{0pt}\setlength\parskip{2pt}
%ROWS%
\endgroup
"""
# Strikes through text that the vocabulary cannot write. A file without such text lacks this command.
_LOST = r"""\providecommand\tokenlost[1]{\sbox\tokenbox{#1}\rlap{\rule[.55ex]{\wd\tokenbox}{.5pt}}\usebox\tokenbox}
"""
# Draws a bar. Arguments: the bar's length, the room after the bar, the bar's colour.
_BAR = r"""\definecolor{tokenbar}{HTML}{%HAIR%}
\providecommand\tokenbar[3]{{\color{#3}\rule{#1em}{1.4ex}}\hskip #2em\relax}
""".replace("%HAIR%", HAIR["light"][1:].upper())
_LONGEST = 2.4  # em, the length of the longest bar
_DOCUMENT = f"{_PREAMBLE}{_COMMANDS}\\begin{{document}}\n{_ROWS}\\end{{document}}\n"
_FRAGMENT = f"{_NO_PREAMBLE}{_COMMANDS}{_ROWS}"
_SIGNS = {
    "·": r"\textperiodcentered{}",
    "⏎": r"\ensuremath{\hookleftarrow}",
    "→": r"\ensuremath{\to}",
    "⇥": r"\ensuremath{\to}\rule{.4pt}{1ex}",
    "×": r"\ensuremath{\times}",
    "…": r"\ldots{}",
    "␍": r"{\tiny CR}",
    "⍽": r"{\tiny NBSP}",
    "⟨": r"\ensuremath{\langle}",
    "⟩": r"\ensuremath{\rangle}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {char: "\\" + char for char in "{}#$%&_"}
MOST_BRACED = 24  # tokens above a brace; the tokens above one brace stay in one line
_PLAIN = Appearance()
_APART = "-,?!"  # signs that TeX joins with their neighbours into another sign


def latex(drawing: Drawing, appearance: Appearance = _PLAIN) -> str:
    r"""Return a drawing as a document that compiles. Its first lines explain which part goes into a paper.

    A fragment has no preamble: a paper includes the fragment by `\input`.

    >>> from bpe_core.pictures.shared.drawing import chips
    >>> [line for line in latex(Drawing("one", (chips([b"100%"], ["3"]),))).splitlines() if "100" in line]
    ['\\token{token4a}{token4a}{100\\%}{3}%']
    """
    filled = {
        "%TITLE%": drawing.title,
        "%INK%": INK["light"][1:].upper(),
        "%SOFT%": SOFT["light"][1:].upper(),
        "%ACCENT%": ACCENT["light"][1:].upper(),
        "%LOST%": _LOST if any(chip.lost for row in drawing.every_row for chip in _all(row)) else "",
        "%BAR%": _BAR if any(isinstance(item, Bar) for row in drawing.every_row for item in row) else "",
        "%COLOURS%": "\n".join(_colours(drawing)),
        "%ROWS%": _rows(drawing.rows, drawing.glyph),
    }
    document = _FRAGMENT if appearance.fragment else _DOCUMENT
    return re.sub("%[A-Z]+%", lambda name: filled[name[0]], document)


def _colours(drawing: Drawing) -> Iterator[str]:
    """Yield a definition for each colour of the tokens in the drawing."""
    chips = [chip for row in drawing.every_row for chip in _all(row)]
    names = {_colour(chip): palette("light")[hue(chip.token)][chip.shade] for chip in chips}
    for name, colour in sorted(names.items()):
        yield f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"


def _all(row: Row) -> Iterator[Chip]:
    for item in row:
        for chip in chips_of(item):
            yield chip
            yield from _all(chip.halves)


def _colour(chip: Chip) -> str:
    return f"token{hue(chip.token)}{'ab'[chip.shade]}"


def _rows(rows: Iterable[Row | Columns], glyph: str) -> str:
    return "\n".join(_columns(row, glyph) if isinstance(row, Columns) else f"{_row(row, glyph)}\\par" for row in rows)


def _columns(row: Columns, glyph: str) -> str:
    width = 0.96 / len(row.columns)
    begin = f"\\begin{{minipage}}[t]{{{width:.3f}\\linewidth}}\\raggedright\\setlength\\parskip{{2pt}}%\n"
    columns = (f"{begin}{_rows(column, glyph)}\n\\end{{minipage}}" for column in row.columns)
    return "%\n\\hfill\n".join(columns) + "\\par"


def _row(row: Row, glyph: str) -> str:
    return "%\n".join(_item(item, glyph) for item in row) + "%\n"


def _item(item: Item, glyph: str) -> str:
    """Return an item of a drawing's row as LaTeX. A tree or a `Whole` is scaled down if the column is too narrow."""
    if isinstance(item, str):
        return f"\\ {escaped(item)}\\ "
    if isinstance(item, Heading):
        return f"\\textbf{{{escaped(item.text)}}}"
    if isinstance(item, Bar):
        long = _LONGEST * item.share
        return f"\\tokenbar{{{long:.2f}}}{{{_LONGEST - long:.2f}}}{{{'tokennew' if item.new else 'tokenbar'}}}"
    if isinstance(item, Chip):
        return f"\\tokenfit{{{_tree(item, glyph)}}}" if item.halves else _chip(item, glyph)
    tokens = [_chip(chip, glyph) for chip in item.chips]
    if len(tokens) > MOST_BRACED:
        return "%\n".join([*tokens, f"\\ = {escaped(item.text)}\\ "])
    return f"\\tokenfit{{\\tokenwhole{{{''.join(tokens)}}}{{{escaped(item.text)}}}}}"


def _tree(chip: Chip, glyph: str) -> str:
    own = _chip(chip, glyph)
    return f"\\tokentree{{{own}}}{{{''.join(_tree(half, glyph) for half in chip.halves)}}}" if chip.halves else own


def _chip(chip: Chip, glyph: str) -> str:
    kinds = {"text": "{}", "mark": "\\tokenmark{{{}}}", "hex": "\\tokenhex{{{}}}"}
    text = "".join(kinds[part.kind].format(escaped(part.text)) for part in chip.written(glyph))
    if chip.lost:
        return f"\\token{{white}}{{tokensoft}}{{\\tokenlost{{{text}}}}}{{{escaped(chip.below)}}}"
    colour = _colour(chip)
    return f"\\token{{{colour}}}{{{'tokennew' if chip.new else colour}}}{{{text}}}{{{escaped(chip.below)}}}"


def escaped(text: str) -> str:
    r"""Escape a text, so that TeX prints it as it is.

    >>> print(escaped("50% of $x_1"), escaped("é"), escaped("a--b"))
    50\% of \$x\_1 \tokenchar{00E9}{é} a{-}{-}b
    """
    return "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    if char in _SIGNS:
        return _SIGNS[char]
    if char in _APART:
        return f"{{{char}}}"
    return char if char.isascii() else f"\\tokenchar{{{ord(char):04X}}}{{{char}}}"

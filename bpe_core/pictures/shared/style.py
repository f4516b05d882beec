"""The style of tokens: one sheet for the app's pages, for pictures as HTML, and for notebooks.

Colours follow the `color-scheme` of the page, light or dark. Not here: a token's hue (`colours`).
"""

from __future__ import annotations

from markupsafe import Markup

from bpe_core.pictures.shared.colours import INK, SOFT, palette

ACCENT = {"light": "#b4431f", "dark": "#f0875f"}
PAPER = {"light": "#fcfbf8", "dark": "#171614"}  # as in .streamlit/config.toml
QUIET = {"light": "#6b665d", "dark": "#aaa398"}
HAIR = {"light": "#dedad0", "dark": "#3a3732"}


def light_dark(colour: dict[str, str]) -> str:
    """Return the CSS of a colour that follows the page's colour scheme.

    >>> light_dark({"light": "#fff", "dark": "#000"})
    'light-dark(#fff, #000)'
    """
    return f"light-dark({colour['light']}, {colour['dark']})"


def shade_rules(what: str) -> str:
    """Return a CSS rule for each hue and shade of tokens; `what`: the property, "background" or (in SVG) "fill"."""
    pairs = zip(palette("light"), palette("dark"), strict=True)
    return "\n".join(
        f".t{hue}.s{shade} {{ {what}: light-dark({light[shade]}, {dark[shade]}); }}"
        for hue, (light, dark) in enumerate(pairs)
        for shade in (0, 1)
    )


VARIABLES = f"""--ink: {light_dark(INK)}; --accent: {light_dark(ACCENT)};
  --soft: {light_dark(SOFT)}; --quiet: {light_dark(QUIET)}; --hair: {light_dark(HAIR)};"""
TOKENS = f"""
{shade_rules("background")}
.tokens:not(.words) {{ unicode-bidi: plaintext; text-align: start; }}
.tokens {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.95rem; line-height: 1.9;
  overflow-wrap: anywhere; }}
.token {{ display: inline-block; max-width: 100%; color: var(--ink); border-radius: 4px; padding: 0.12em 0.28em; margin: 0 1px; white-space: pre-wrap;
  border: 1px solid transparent; line-height: 1.35; }}
.token .mark {{ color: var(--soft); }}
.token .hex {{ font-size: 0.78em; letter-spacing: 0.02em; }}
.token.plain {{ background: none; border-color: var(--hair); }}
.token.new {{ border-color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }}
.token.soft {{ outline: 2px dashed var(--accent); outline-offset: -1px; }}
.token.lost {{ background: none; border: 1px dashed var(--quiet); padding: 0.12em 0.1em; color: var(--quiet); }}
.token.lost .mark {{ color: inherit; }}
.token sub {{ color: var(--soft); font-size: 0.68em; line-height: 1; margin-left: 0.35em; vertical-align: baseline; }}
.whole {{ display: inline-block; border-bottom: 2px solid var(--quiet); border-radius: 2px; padding-bottom: 1px;
  margin: 0 1px; line-height: 1.7; }}
.whole > .of {{ font-size: 0.8em; color: var(--quiet); margin-left: 0.25em; }}
"""
# Text that the vocabulary cannot write.
_UNKNOWN = """
.token.unknown { background: none; border: 1px dashed var(--quiet); color: var(--quiet); }
.token.unknown del { text-decoration: line-through; text-decoration-color: var(--accent); text-decoration-thickness: 1.5px; }
"""
# A part that scrolls fades out at its lower edge. This empty line ends the part, so that the last text is not faded.
_FADE = f"""
:is(.scroll, .pane, .row > .tokens)::after {{ content: ""; display: block; position: sticky; bottom: -0.3rem; height: 1.4rem;
  pointer-events: none; background: linear-gradient(transparent, var(--st-background-color, {light_dark(PAPER)})); }}
"""
# Tokens in parts that scroll, and rows of figures: for the app's pages and the live views.
TOKEN_STYLE = f"""{TOKENS}{_UNKNOWN}{_FADE}
dl.figures {{ display: flex; flex-wrap: wrap; gap: 0.4rem clamp(0.8rem, 1.6vw, 2rem); margin: 0; padding: 0; }}
.figures div {{ display: flex; flex-direction: column; }}
.figures dt {{ order: 2; color: var(--quiet); font-size: 0.8rem; }}
dl.figures dd {{ margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }}
@media (max-width: 640px) {{ dl.figures {{ gap: 0.4rem 0.8rem; }} .figures dt {{ font-size: 0.72rem; }} dl.figures dd {{ font-size: 1.15rem; }} }}
"""
# A token's derivation, as a tree of lists.
_TREE = """
.grove { overflow-x: auto; }
.tree, .tree ul { display: flex; justify-content: center; list-style: none; margin: 0; padding: 0; }
.tree { width: max-content; min-width: 100%; line-height: 1.3; }
.tree li { position: relative; display: flex; flex-direction: column; align-items: center; margin: 0; padding: 0 2px; }
.tree ul { position: relative; padding-top: 0.5rem; }
.tree ul li { padding-top: 0.7rem; }
.tree ul::before, .tree ul li::after { content: ""; position: absolute; top: 0; left: 50%; height: 0.5rem; border-left: 1px solid var(--quiet); }
.tree ul li::after { height: 0.7rem; }
.tree ul li::before { content: ""; position: absolute; top: 0; left: 0; right: 0; border-top: 1px solid var(--quiet); }
.tree ul li:first-child::before { left: 50%; }
.tree ul li:last-child::before { right: 50%; }
.tree .step { font-size: 0.72rem; color: var(--quiet); min-height: 0.6rem; }
"""


def notebook_themes(it: str) -> str:
    """Return CSS rules that make an element dark if the notebook around it is dark.

    If the notebook's theme is not known, the reader's system decides. `it`: the selector of the element.

    >>> ".vscode-dark .it" in notebook_themes(".it")
    True
    """
    return f"""@media (prefers-color-scheme: dark) {{ {it} {{ color-scheme: dark; }} }}
[data-jp-theme-light="true"] {it}, .vscode-light {it}, [data-theme="light"] {it},
html[theme="light"] {it} {{ color-scheme: light; }}
[data-jp-theme-light="false"] {it}, .vscode-dark {it}, [data-theme="dark"] {it},
html[theme="dark"] {it} {{ color-scheme: dark; }}
"""


# For tokens outside the app. Their background is dark if the notebook around the tokens is dark. If the notebook's
# theme is not known, the reader's system decides.
_ALONE = f""".mergescope {{ {VARIABLES}
color-scheme: light; background: {light_dark(PAPER)}; color: var(--ink); padding: 0.6rem 0.8rem; border-radius: 0.4rem;
font: 1rem/1.6 "Source Sans 3", system-ui, sans-serif;
{TOKENS}{_TREE}
.token {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.95rem; }}
p {{ margin: 0.2rem 0; color: var(--ink); }}
.note {{ color: var(--quiet); font-size: 0.9rem; }}
table.merges {{ border-collapse: collapse; margin: 0.4rem 0 0; }}
.merges th, .merges td {{ padding: 0.1rem 0.9rem 0.1rem 0; border: 0; text-align: left; color: var(--ink); background: none; }}
.merges .number {{ text-align: right; font-variant-numeric: tabular-nums; color: var(--quiet); }}
}}
{notebook_themes(".mergescope")}"""


def alone(content: Markup, name: str) -> Markup:
    """Return elements together with their style sheet, for use outside the app. There is no script in the result.

    `name`: the label that a screen reader reads out.

    >>> alone(Markup("<i>a</i>"), "tokens")[-22:]
    Markup('</style><i>a</i></div>')
    """
    # the style is ours: it has no "<" that would end the element
    style = Markup(_ALONE + (f".mergescope {{{_UNKNOWN}}}" if 'class="token unknown"' in content else ""))
    return Markup('<div class="mergescope" role="group" aria-label="{}"><style>{}</style>{}</div>').format(
        name, style, content
    )

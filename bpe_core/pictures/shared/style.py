"""The style of tokens: one sheet for the app's pages, for pictures as HTML, and for notebooks.

The rules are in `*.css` beside this file. Colours follow the `color-scheme` of the page, light or dark. Not here: a
token's hue (`colours`).
"""

from __future__ import annotations

import re

from markupsafe import Markup

from bpe_core.pictures.shared.colours import INK, SOFT, palette
from bpe_core.pictures.shared.view import source

ACCENT = {"light": "#b4431f", "dark": "#f0875f"}  # as in .streamlit/config.toml
PAPER = {"light": "#fcfbf8", "dark": "#171614"}  # as in .streamlit/config.toml
QUIET = {"light": "#6b665d", "dark": "#aaa398"}
HAIR = {"light": "#dedad0", "dark": "#3a3732"}
ON_ACCENT = {"light": "#ffffff", "dark": INK["light"]}  # the text of the main button
BAR = {"light": "#8a8478", "dark": "#8a8478"}  # of charts
TIE = {"light": "#d9a58f", "dark": "#9c5b42"}  # a paler accent


def light_dark(colour: dict[str, str]) -> str:
    """Return the CSS of a colour that follows the page's colour scheme.

    >>> light_dark({"light": "#fff", "dark": "#000"})
    'light-dark(#fff, #000)'
    """
    return f"light-dark({colour['light']}, {colour['dark']})"


def without_comments(css: str) -> str:
    """Return a style sheet without its comments.

    >>> without_comments("/* a title */ h1 { margin: 0; }")
    'h1 { margin: 0; }'
    """
    return re.sub(r"/\*.*?\*/\s*", "", css, flags=re.S)


def shade_rules(what: str) -> str:
    """Return a CSS rule for each hue and shade of tokens; `what`: the property, "background" or (in SVG) "fill"."""
    pairs = zip(palette("light"), palette("dark"), strict=True)
    return "\n".join(
        f".t{hue}.s{shade} {{ {what}: light-dark({light[shade]}, {dark[shade]}); }}"
        for hue, (light, dark) in enumerate(pairs)
        for shade in (0, 1)
    )


# The one look: colours, six sizes of text, two heights of controls, one scale of spaces. Whatever is drawn takes these.
VARIABLES = f"""--ink: {light_dark(INK)}; --accent: {light_dark(ACCENT)};
  --soft: {light_dark(SOFT)}; --quiet: {light_dark(QUIET)}; --hair: {light_dark(HAIR)}; --edge: light-dark(#8f897d, #7b756b);
  --paper: {light_dark(PAPER)}; --on-accent: {light_dark(ON_ACCENT)}; --bar: {light_dark(BAR)}; --tie: {light_dark(TIE)};
  --right: light-dark(#2b7a39, #83c98b); --wrong: light-dark(#b3173a, #ff8a9b);
  --mono: "Source Code Pro", ui-monospace, monospace;
  --size-tiny: 0.75rem; --size-small: 0.875rem; --size-text: 1rem; --size-large: 1.125rem; --size-title: 1.5rem; --size-count: 2.25rem;
  --low: 2rem; --high: 2.5rem;
  --space-1: 0.125rem; --space-2: 0.25rem; --space-3: 0.5rem; --space-4: 0.75rem; --space-5: 1rem; --space-6: 1.5rem; --space-7: 2rem;
  --space-8: 3rem;"""
TOKENS = f"{shade_rules('background')}\n{without_comments(source('shared/tokens.css'))}"
# Tokens, and rows of figures: for the app's pages and the live views.
TOKEN_STYLE = TOKENS + without_comments(source("shared/figures.css"))


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
color-scheme: light; background: var(--paper); color: var(--ink); padding: 0.6rem 0.8rem; border-radius: 0.4rem;
font: 1rem/1.6 "Source Sans 3", system-ui, sans-serif;
{TOKENS}{without_comments(source("shared/tree.css", "shared/alone.css"))}}}
{notebook_themes(".mergescope")}"""


def alone(content: Markup, name: str) -> Markup:
    """Return elements together with their style sheet, for use outside the app. There is no script in the result.

    `name`: the label that a screen reader reads out.

    >>> alone(Markup("<i>a</i>"), "tokens")[-22:]
    Markup('</style><i>a</i></div>')
    """
    # the style is ours: it has no "<" that would end the element
    return Markup('<div class="mergescope" role="group" aria-label="{}"><style>{}</style>{}</div>').format(
        name, Markup(_ALONE), content
    )

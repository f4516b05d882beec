"""The style sheet of the app. Only tokens have colours. These colours are the engine's (`bpe_core.pictures`)."""

from __future__ import annotations

import re

from bpe_core import PRETOKENIZERS
from bpe_core.pictures.shared.colours import INK
from bpe_core.pictures.shared.style import PAPER, TOKEN_STYLE, VARIABLES, light_dark
from bpe_core.text.custom_patterns import custom
from pages.parts.ui.terms import TERMS, id_of

CHART_ACCENT, CHART_TIE, CHART_BAR = "#d2603a", "#d9a58f", "#8a8478"  # visible on both backgrounds
SIDE_COLOURS = {"left": CHART_BAR, "right": CHART_ACCENT}  # of the sides of Compare, in bars and in charts
_SIDES = "\n".join(f".cost.{side} {{ --bar: {colour}; }}" for side, colour in SIDE_COLOURS.items())
_DEFINITIONS = "\n".join(
    f".term[aria-describedby={id}]:is(:hover, :focus) ~ #{id} {{ display: block; }}" for id in map(id_of, TERMS)
)
# While the pointer or the focus is on the name of a pretokenizer's rule, the rule's pretokens have this style.
_NAMES = dict.fromkeys(name for splitter in (*PRETOKENIZERS.values(), custom(".")) for name, _ in splitter.rules)
_RULES = "\n".join(
    f'.sides section:has([data-rule="{name}"]:is(:hover, :focus)) .token[title="rule: {name}"] '
    "{ border-color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }"
    for name in _NAMES
)
# While the pointer or the focus is on a piece of a text or on an alternative of its pattern, both have this style.
_CUTS = "\n".join(
    f'.cuts:has([data-cut="{n}"]:is(:hover, :focus)) :is(li[data-cut="{n}"], [data-cut="{n}"] > .token) '
    "{ border-color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }"
    for n in range(1, 25)
)
OWN_TOOLS = "tokenizers.table"  # the keys of tables that have a download and a search of their own begin so


def class_of(key: str) -> str:
    """Return the CSS class that Streamlit gives to a widget with a key.

    >>> class_of("tokenizers.table gpt2")
    'st-key-tokenizers-table-gpt2'
    """
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key)


ON_ACCENT = {"light": "#ffffff", "dark": INK["light"]}  # the text of the main button
STYLE = f"""
:root {{ {VARIABLES} }}{TOKEN_STYLE}
[data-testid="stElementContainer"] {{ transition: none !important; }}
[data-testid="stElementContainer"][data-stale="true"] {{ opacity: 1 !important; }}
/* what a late answer will replace, but not the text areas that send each key; see `fadeLate` in page.js */
.late [data-testid="stElementContainer"][data-stale="true"]:not(.{class_of("shared.editor")}, [class$="-box"], [class*="-box "])
  {{ opacity: 0.4 !important; }}
.words {{ display: grid; grid-template-columns: max-content minmax(0, 1fr); column-gap: 0.9rem; row-gap: 1px;
  align-items: baseline; }}
.words .word {{ justify-self: start; border: solid var(--quiet); border-width: 0 1.5px; border-radius: 3px; padding: 0 1px; }}
.words .count {{ text-align: right; color: var(--quiet); font-variant-numeric: tabular-nums; font-size: 0.85rem; }}
.words .changed {{ color: var(--accent); font-weight: 700; }}
.words .count.changed::before {{ content: "● "; font-size: 0.6rem; vertical-align: 0.15em; }}
/* a chat: what its template wrote, and what should not stand there */
.token.template {{ background: repeating-linear-gradient(135deg, var(--hair) 0 3px, transparent 3px 7px); border-color: var(--quiet); }}
.token.both, .token.added {{ border: 1px dashed var(--quiet); }}
.token.tools {{ background: none; border: 1px solid var(--quiet); }}
.token.lit {{ border-color: var(--accent); box-shadow: inset 0 -3px 0 var(--accent); }}
.token.dim {{ background: none; color: var(--quiet); }}
/* what is sent: the kept tokens, and those computed anew */
.sent {{ max-width: 60rem; font-variant-numeric: tabular-nums; }}
.sent p {{ margin: 0.3rem 0 0.1rem; }}
.sent .bar {{ display: flex; height: 0.8rem; }}
.sent .bar i {{ background: none; border: 1px solid {CHART_BAR}; }}
.sent .bar i.new, .key.new {{ background: {CHART_BAR}; border: 1px solid {CHART_BAR}; }}
.key.kept {{ background: none; border: 1px solid {CHART_BAR}; }}
.sent.open strong {{ color: var(--accent); }}
[class*="st-key-tool-bar-"] {{ position: relative; flex-wrap: nowrap; }}
[class*="st-key-tool-bar-"] button {{ justify-content: flex-start; text-align: left; padding: 0; min-height: 1.8rem; }}
[class*="st-key-tool-bar-"] button > div {{ justify-content: flex-start; width: 100%; }}
[class*="st-key-tool-bar-"] :is(button, .stElementContainer:has(button)) {{ position: static; }}
[class*="st-key-tool-bar-"] button::after {{ content: ""; position: absolute; inset: 0; z-index: 1; }}
[class*="st-key-tool-bar-"]:hover:has(button) .bar i.new {{ background: {CHART_ACCENT}; border-color: {CHART_ACCENT}; }}
[class*="st-key-tool-bar-"]:has(strong) .bar i.new {{ background: {CHART_ACCENT}; border-color: {CHART_ACCENT}; }}
.title.apart {{ margin-top: 0.8rem; }}
.token.added {{ border-style: double; border-width: 3px; }}
.note.looks {{ display: flex; flex-wrap: wrap; gap: 0 1.2rem; line-height: 2; }}
.token.alarm {{ background: var(--accent); color: {light_dark(ON_ACCENT)}; border-color: var(--accent); }}
.token.alarm :is(.mark, sub) {{ color: inherit; }}
.scroll {{ max-height: 26rem; overflow-y: auto; padding: 0.25rem 0.1rem; }}
.scroll.split {{ max-height: 11rem; }}
.title {{ font-weight: 600; margin: 0; }}
.note {{ color: var(--quiet); font-size: 0.88rem; margin: 0; }}
.note a {{ color: inherit; text-underline-offset: 0.2em; }}
.total .warns, .note.warns {{ color: var(--accent); }}
.problem {{ color: var(--accent); font-size: 0.95rem; margin: 0; }}
.beginning {{ max-height: 7rem; border: 1px solid var(--hair); padding: 0.6rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.95rem; }}
.sentence {{ font-size: 1.08rem; line-height: 2; margin: 0; overflow-wrap: anywhere; }}
:is(.sentence, .point):not(:has(.token)) {{ line-height: 1.6; }}
.sentence .token {{ max-height: 4.6em; overflow: hidden; vertical-align: middle; }}
h2.question {{ font-size: 1.1rem; font-weight: 600; margin: 0; padding: 0; }}
h2.part {{ font-size: 1.15rem; font-weight: 600; margin: 0; padding: 1rem 0 0.1rem; border-top: 1px solid var(--hair); }}
dl.facts {{ display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0; padding: 0; line-height: 1.9; }}
.facts dt {{ color: var(--quiet); font-weight: 400; margin: 0; }}
.facts dd {{ margin: 0; overflow-wrap: anywhere; }}
:is(.facts, .sentence, .verdict, .ask, .taken) .token {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.92em; }}
.facts + .sentence {{ margin-top: 0.8rem; padding-top: 0.6rem; border-top: 1px solid var(--hair); }}
.facts ~ .sentence {{ font-size: 1rem; line-height: 1.9; }}
.pair {{ display: inline-block; max-width: 100%; }}
/* one text split in two ways, one above the other */
.block {{ display: inline-grid; vertical-align: top; margin: 0 1px 0.5rem 0; line-height: 1.7; border: 1px solid transparent; border-radius: 5px; row-gap: 1px; }}
.block.differs {{ border-color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); padding: 1px 1px 2px; }}
.block i {{ font-family: "Source Sans", sans-serif; font-size: 0.75rem; color: var(--quiet); }}
/* a chosen option has no colour: only tokens have colours */
.stMultiSelect [data-tag] {{ background: none; border: 1px solid var(--quiet); }}
.stMultiSelect [data-tag], .stMultiSelect [data-tag] * {{ color: var(--ink); }}
/* Streamlit's small buttons take clicks within 24 pixels, without moving */
:is(.stTooltipIcon, [data-tag]) button {{ position: relative; }}
:is(.stTooltipIcon, [data-tag]) button::after {{ content: ""; position: absolute; inset: -4px; }}
[data-tag] button::after {{ inset: -9px -5px; }}
/* the parts of the pipeline, one under the other */
[class*="st-key-part-"] {{ border-top: 1px solid var(--hair); padding-top: 0.7rem; }}
@media (max-width: 640px) {{ [class*="st-key-part-"] .stHorizontalBlock {{ gap: 0.8rem; }} }}
.st-key-part-0 {{ border-top: 0; padding-top: 0; }}
.st-key-part-0 .sentence:first-child {{ padding-top: 0.4rem; }} /* beside the model's name */
h2.pipeline-part {{ font-size: 1.05rem; font-weight: 600; margin: 0; padding: 0; }}
h2.pipeline-part b {{ color: var(--quiet); font-weight: 400; padding-right: 0.2em; }}
.line {{ display: block; unicode-bidi: plaintext; text-align: start; font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.95rem; line-height: 1.9; white-space: pre-wrap; overflow-wrap: anywhere; }}
.sentence .line {{ display: inline; }} .sentence .line br {{ display: none; }}
.line .mark {{ color: var(--quiet); }}
.line ins {{ text-decoration: none; border-bottom: 2px solid var(--accent); margin: 0 1px; }}
.line del {{ text-decoration: line-through; text-decoration-thickness: 2px; color: var(--quiet); margin: 0 1px; }}
/* one text under several models; one vocabulary used in two ways */
.rivals {{ display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: 0.5rem 1.2rem; align-items: start; grid-auto-flow: dense; }}
.rivals .tokens {{ grid-column: 2; }}
.rivals .name, .rivals .total {{ display: flex; flex-direction: column; line-height: 1.3; padding-top: 0.2rem; }}
.rivals .name .note {{ font-size: 0.78rem; }}
.rivals .total {{ grid-column: -2; color: var(--quiet); font-variant-numeric: tabular-nums; text-align: right; max-width: 15rem; overflow-wrap: anywhere; }}
.rivals .total .warns {{ font-size: 0.85rem; font-weight: 400; }}
.rivals .word, .ways .word {{ display: inline-block; border: solid var(--quiet); border-width: 0 1.5px; border-radius: 3px; padding: 0 1px; }}
.ways .differs::before {{ content: "●"; font-size: 0.6rem; vertical-align: 0.15em; color: var(--accent); position: absolute;
  left: 0; top: 0.5em; }}
.ways > :nth-child(odd) {{ position: relative; padding-left: 0.8rem; }}
.ways {{ display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.1rem 1.2rem; }}
@media (max-width: 640px) {{ .rivals {{ grid-template-columns: minmax(0, 1fr) max-content; gap: 0.1rem 1rem; }}
  .rivals .tokens {{ grid-column: 1 / -1; margin-bottom: 0.5rem; }} .rivals .total {{ max-width: 11rem; }} }}
/* a remark about what the page could not do */
.stAlertContainer:has([data-testid="stAlertContentInfo"]) {{ background: none; border: 1px solid var(--hair); color: var(--ink); }}
/* the link that Share copies */
.st-key-link {{ display: none; }}
/* a block that contains nothing, or only an empty slot, takes no room */
div:has(> .stVerticalBlock:empty), div:has(> .stVerticalBlock > .stElementContainer:only-child > .stEmpty) {{ display: none; }}
[class*="st-key-card-"] a {{ padding-left: 0; }}
/* a lesson: a question, the verdict on an answer, what to take away */
[class*="st-key-learn-question-"] {{ border-top: 1px solid var(--hair); padding: 0.9rem max(0px, calc(100% - 56rem)) 0 0; }}
/* an answer is never cut off */
[class*="st-key-learn-question-"] .stButtonGroup button {{ height: auto; text-align: left; }}
[class*="st-key-learn-question-"] .stButtonGroup button :is(div, p, span) {{ white-space: normal; }}
/* the chosen answer is marked by its weight, since only tokens have colours, and a right one by a sign */
[class*="st-key-learn-question-"] .stButtonGroup button[aria-checked="true"] {{ background: none; border: 2px solid var(--ink); color: var(--ink); font-weight: 600; }}
[class*="st-key-learn-question-"]:has(.verdict.found) .stButtonGroup button[aria-checked="true"]::after {{ content: "\\2713"; margin-left: 0.4em; }}
[class*="st-key-learn-question-"] .stNumberInput [data-testid="stNumberInputContainer"] {{ background: none; border: 1px solid var(--quiet); }}
[class*="st-key-learn-question-"] .words {{ max-height: none; overflow: visible; }}
@media (min-width: 641px) {{ [class*="st-key-learn-question-"] .words:has(> :nth-child(17)) {{ grid-template-columns: max-content minmax(0, 1fr) max-content minmax(0, 1fr); }} }}
[class*="st-key-learn-question-"] .words::after {{ display: none; }}
.ask .token, .given .token, .learnt .token, .count .token {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.92em; }}
/* what a question is worked out from: merges in their order, a table, a whole text */
ol.learnt {{ list-style: none; margin: 0.2rem 0; padding: 0; columns: 10rem; line-height: 1.9; }}
ol.learnt li {{ margin: 0; padding: 0; break-inside: avoid; }}
:is(.learnt, .merge) .step {{ color: var(--quiet); font-size: 0.82rem; font-variant-numeric: tabular-nums; }}
ol.learnt .step {{ display: inline-block; min-width: 3.2rem; text-align: right; padding-right: 0.4rem; }}
.merge {{ display: inline-block; white-space: nowrap; margin-right: 0.9rem; }}
table.given {{ border-collapse: collapse; margin: 0.3rem 0; line-height: 1.8; }}
.given th {{ text-align: left; font-weight: 600; font-size: 0.88rem; color: var(--quiet); padding: 0.1rem 1.2rem 0.1rem 0; border: 0; vertical-align: bottom; }}
.given td {{ padding: 0.15rem 1.2rem 0.15rem 0; border: 0; border-top: 1px solid var(--hair); vertical-align: top; font-variant-numeric: tabular-nums; }}
.given small {{ color: var(--quiet); }}
.given .bar {{ display: inline-block; height: 0.7em; background: {CHART_BAR}; margin-right: 0.4rem; border-radius: 0 2px 2px 0; }}
.given td:has(.bar) {{ min-width: 14rem; }}
/* numbers in columns: a column for each place, so each digit stands in its own */
table.columns {{ border-collapse: collapse; margin: 0.3rem 0; table-layout: fixed; width: 1px; --place: 1.5rem; }}
.columns th {{ font-weight: 600; font-size: 0.8rem; color: var(--quiet); border: 0; padding: 0 0.2rem 0.1rem; text-align: right; width: calc(3 * var(--place)); }}
.columns th:first-child {{ width: 10.5rem; }}
.columns th:first-child, .columns td:first-child {{ text-align: left; padding-right: 0.5rem; font-size: 0.92rem; }}
@media (max-width: 640px) {{ table.columns {{ --place: 1.25rem; }} .columns th:first-child {{ width: 7rem; }} }}
/* lines between the groups: a token may reach to the edge of its group */
.columns tbody {{ background: repeating-linear-gradient(to left, var(--hair) 0 1px, transparent 1px calc(3 * var(--place))) right / calc(100% - 8rem) no-repeat; }}
.columns td {{ border: 0; padding: 0.1rem 0; }}
.columns .first td {{ border-top: 1px solid var(--hair); padding-top: 0.3rem; }}
.columns .token {{ display: block; margin: 0 1px; padding: 0 0 0 calc((var(--place) - 1ch) / 2 - 1px); letter-spacing: calc(var(--place) - 1ch); font: 1rem/1.6 "Source Code Pro", ui-monospace, monospace; white-space: nowrap; overflow: hidden; }}
/* a word under several tokenizers; on a phone each tokenizer's row below its name */
.spellings {{ border-collapse: collapse; margin: 0.3rem 0; }}
.spellings th {{ text-align: left; font-weight: 600; font-size: 0.88rem; padding: 0.35rem 1.4rem 0.35rem 0; border: 0; vertical-align: top; }}
.spellings thead th {{ color: var(--quiet); }}
.spellings td {{ padding: 0.15rem 1.4rem 0.15rem 0; border: 0; vertical-align: top; overflow-wrap: anywhere; }}
.spellings tbody tr {{ border-top: 1px solid var(--hair); }}
.spellings b {{ font-variant-numeric: tabular-nums; margin-right: 0.4rem; font-weight: 400; color: var(--quiet); }}
.spellings :is(sub, .of) {{ color: var(--accent); font-size: 0.78em; }}
@media (max-width: 640px) {{ .spellings tr {{ display: grid; grid-template-columns: repeat(3, 1fr); }}
  .spellings tbody th {{ grid-column: 1 / -1; padding-bottom: 0; }} .spellings thead th:first-child {{ display: none; }}
  .spellings :is(td, th) {{ padding-right: 0.4rem; }} .spellings .token {{ font-size: 0.8rem; padding-inline: 0.18em; }}
  .spellings td {{ display: flex; flex-direction: column; }} }}
details.text, details.count {{ margin: 0.3rem 0; }}
details.text > summary, details.count > summary {{ cursor: pointer; color: var(--quiet); font-size: 0.92rem; }}
details.text > .line {{ max-height: 16rem; overflow-y: auto; border: 1px solid var(--hair); padding: 0.4rem 0.7rem; }}
details.count p {{ margin: 0.1rem 0; line-height: 2; }}
img.qr {{ width: 9rem; height: 9rem; image-rendering: pixelated; border-radius: 4px; }}
.done {{ letter-spacing: 0.12em; }}
h2.lesson {{ font-size: 1.5rem; font-weight: 600; margin: 0; padding: 0.4rem 0 0; }}
h3.ask {{ font-size: 1.12rem; font-weight: 600; line-height: 1.8; margin: 0; padding: 0; }}
.verdict p {{ margin: 0.1rem 0; line-height: 2; }}
.taken {{ border-left: 3px solid var(--accent); margin: 0.4rem 0; padding: 0.1rem 0 0.1rem 0.9rem; line-height: 2; }}
.taken {{ font-size: 1.08rem; max-width: 56rem; }}
.trace {{ border-collapse: collapse; width: auto; }}
.trace caption {{ caption-side: top; white-space: nowrap; text-align: left; font-family: "Source Sans", sans-serif; font-weight: 600; }}
.trace td {{ border: 0; padding: 0.1rem 0.9rem 0.1rem 0; }}
.costs {{ border-collapse: collapse; width: 100%; table-layout: fixed; }}
.costs th {{ text-align: left; font-weight: 600; padding: 0.2rem 1rem 0.2rem 0; border: 0; }}
.costs td {{ vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; border: 0; border-top: 1px solid var(--hair); }}
.costs b {{ font-size: 1.2rem; font-variant-numeric: tabular-nums; }}
.trace td:first-child {{ color: var(--quiet); text-align: right; font-size: 0.85rem; white-space: nowrap; }}
/* the headline and its sentence in one line where there is room */
.head {{ display: flex; flex-wrap: wrap; align-content: flex-start; align-items: baseline; gap: 0 1rem; min-height: 2rem; }}
/* on a phone a headline and two lines, so that another view's question moves nothing */
@media (max-width: 640px) and (min-height: 561px) {{ .head {{ min-height: 4.9rem; }} h2.question {{ line-height: 1.35; }} }}
h1.headline {{ font-size: 1.5rem; font-weight: 650; line-height: 1.25; margin: 0; padding: 0; }}
/* what stands above the text box, in one low line */
.box-title {{ font-size: 0.95rem; font-weight: 600; margin: 0; white-space: nowrap; }}
.st-key-text-tools button {{ min-height: 1.9rem; padding: 0 0.5rem; }}
.st-key-text-tools button p {{ font-size: 0.875rem; }}
.st-key-text-tools .box-title {{ padding-right: 0.4rem; }} .st-key-text-tools .note {{ padding-left: 0.4rem; }}
@media (min-width: 641px) {{ .st-key-text-tools {{ flex-wrap: nowrap; }}
  .st-key-text-tools > :last-child {{ flex: 1 1 0; width: auto; min-width: 0; overflow: hidden; }}
  .st-key-text-tools .note {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }} }}
div:has(> .st-key-text-tools) {{ row-gap: 0.45rem; }}
/* what the text is: a line as high as its words, close under the box */
.st-key-recognised {{ column-gap: 0.5rem; row-gap: 0; margin-top: -0.35rem; }}
.st-key-recognised button {{ min-height: 1.5rem; padding: 0 0.15rem; }}
.st-key-recognised button p {{ font-size: 0.88rem; }}
.st-key-recognised > :not(:last-child) button p {{ text-decoration: underline; text-underline-offset: 0.25em; text-decoration-color: var(--quiet); }}
.st-key-recognised > :last-child button {{ color: var(--quiet); min-width: 1.5rem; }}
/* a low window, as at a zoom of 200 %: the picture first */
@media (max-height: 560px) {{ .about {{ display: none; }} .stMainBlockContainer {{ padding-top: 0.5rem; }}
  :is(.st-key-train-settings, .st-key-compare-settings) {{ row-gap: 0.4rem; }} }}
/* the pages of a title in the navigation stand at the end of the headline's line, which ends before them */
@media (min-width: 641px) {{ :has(> .st-key-siblings) {{ position: relative; z-index: 1; height: 0; margin-bottom: -1rem; pointer-events: none; }}
  .st-key-siblings {{ justify-content: flex-end; }} .st-key-siblings a {{ pointer-events: auto; }}
  .stMainBlockContainer:has(.st-key-siblings) .head {{ padding-right: 13rem; }} }}
p:has(> .definition), dl.figures:has(.definition) {{ position: relative; }}
.about {{ font-size: 1rem; line-height: 1.5; max-width: 56rem; margin: 0; }}
p .term, dt .term {{ color: inherit; text-decoration: underline; text-decoration-style: dotted; text-decoration-color: var(--quiet); text-decoration-thickness: 1.5px; text-underline-offset: 0.2em; cursor: help; }}
span.term:is(:hover, :focus) + .definition {{ display: block; }}
.definition {{ display: none; position: absolute; left: 0; top: 100%; z-index: 20; max-width: min(32rem, 100%); padding: 0.5rem 0.75rem;
  font-size: 0.95rem; color: var(--ink); background: var(--st-background-color, light-dark({PAPER["light"]}, {PAPER["dark"]})); border: 1px solid var(--quiet); border-radius: 0.4rem; }}
.point {{ font-size: 1.12rem; line-height: 1.9; margin: 0; max-width: 60rem; }}
/* what a text costs on each side of a comparison */
.cost {{ max-width: 60rem; }}
{_SIDES}
.cost p {{ margin: 0.3rem 0 0.1rem; font-variant-numeric: tabular-nums; }}
.cost .bar {{ display: flex; height: 0.9rem; }}
.cost .bar i {{ background: var(--bar); border: 1px solid var(--bar); }}
.cost .bar .lost, .key.lost {{ background: repeating-linear-gradient(-45deg, transparent 0 4px, var(--bar, var(--quiet)) 4px 6px); border: 1px dashed var(--bar, var(--quiet)); }}
.key {{ display: inline-block; width: 1.6em; height: 0.7em; background: var(--quiet); border: 1px solid var(--quiet); }}
/* what a sentence costs in several languages: as many tokens as the first needs, and in the accent what is more */
.across + .note .key {{ background: {CHART_BAR}; border-color: {CHART_BAR}; }}
.across + .note .key.more {{ background: {CHART_ACCENT}; border-color: {CHART_ACCENT}; }}
.across {{ overflow-x: auto; }}
table.prices {{ border-collapse: collapse; width: 100%; min-width: calc(8rem + var(--columns) * 7rem); table-layout: fixed; margin: 0.4rem 0; }}
.prices th {{ text-align: left; font-weight: 600; border: 0; padding: 0.2rem 0.8rem 0.2rem 0; vertical-align: baseline; overflow-wrap: anywhere; }}
.prices thead th {{ font-size: 0.88rem; color: var(--quiet); }}
.prices thead th:first-child {{ width: 8rem; }}
.prices tbody th {{ font-weight: 400; }}
.prices td {{ border: 0; padding: 0.3rem 1.2rem 0.3rem 0; vertical-align: baseline; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.prices tbody tr > * {{ border-top: 1px solid var(--hair); }}
.prices td > b {{ display: inline-block; min-width: 2ch; text-align: right; }}
.prices td > span {{ color: var(--quiet); font-size: 0.88rem; padding-left: 0.5rem; }}
.prices .bar {{ display: flex; height: 0.6rem; margin: 0.1rem 0 0.2rem; }}
.prices .bar i {{ background: {CHART_BAR}; }}
.prices .bar i.more {{ background: {CHART_ACCENT}; }}
table.scores {{ min-width: calc(15rem + var(--columns) * 9rem); }} .scores thead th:first-child {{ width: 15rem; }}
.scores tbody th {{ font-weight: 600; }} .scores .note {{ font-weight: 400; padding-right: 1rem; }}
.scores td {{ white-space: normal; }}
.scores summary {{ cursor: pointer; color: var(--quiet); font-size: 0.88rem; }}
.scores ul {{ list-style: none; margin: 0.2rem 0; padding: 0; line-height: 1.9; }}
.scores li {{ margin: 0; padding: 0; overflow-wrap: anywhere; }} .scores small {{ color: var(--quiet); white-space: nowrap; }}
.scores .token {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: 0.86em; }}
@media (max-width: 640px) {{ table.prices {{ min-width: 0; }} .prices thead {{ position: absolute; clip-path: inset(50%); }}
  .prices :is(tbody, tr, th, td) {{ display: block; padding-right: 0; }}
  .prices tbody th {{ font-weight: 600; padding-top: 0.5rem; }} .prices tr > td {{ border: 0; padding: 0; }}
  .prices .bar {{ margin-bottom: 0.45rem; }}
  .prices td::before {{ content: attr(data-name); color: var(--quiet); font-size: 0.88rem; display: inline-block; width: 11rem; }} }}
/* two splits of a text: lines as high on both sides, and on a phone one side after the other */
.sides {{ display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); grid-template-rows: repeat(4, auto); gap: 0.3rem 2rem; }}
.sides > section {{ display: grid; grid-row: span 4; grid-template: subgrid / minmax(0, 1fr); }}
@media (max-width: 640px) {{ .sides {{ grid-template: none / minmax(0, 1fr); }}
  .sides > section {{ grid-template: none / minmax(0, 1fr); row-gap: 0.3rem; margin-bottom: 0.6rem; }} }}
.in-figures summary {{ cursor: pointer; }} .in-figures dl {{ margin-top: 0.3rem; }}
.sides dl.figures {{ display: grid; grid-template-columns: repeat(4, max-content); }}
@media (min-width: 641px) and (max-width: 1000px) {{ .sides dl.figures {{ grid-template-columns: repeat(2, max-content); }} }}
.sides .scroll {{ max-height: 15rem; }} /* 8 whole lines */
.sides .scroll::after {{ height: 0.7rem; }}
.sides .token {{ position: relative; }}
.sides .token sub {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }}
.rules [tabindex] {{ padding: 0.25rem 0; color: var(--ink); text-decoration: underline; text-decoration-style: dotted; text-decoration-color: var(--quiet); text-decoration-thickness: 1.5px; text-underline-offset: 0.2em; cursor: help; }}
{_RULES}
/* why was it cut there: pieces beside alternatives; pointing at one lights the other */
.cuts {{ display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0.5rem 2rem; }}
@media (max-width: 640px) {{ .cuts {{ grid-template-columns: minmax(0, 1fr); }} }}
.cuts ol {{ margin: 0; padding-left: 1.6rem; }}
.cuts li {{ margin: 0 0 0.35rem; padding: 0.15rem 0.4rem; font-size: 0.92rem; cursor: help; border-left: 2px solid transparent; }}
.cuts code {{ font-size: 0.8rem; overflow-wrap: anywhere; white-space: pre-wrap; padding: 0; background: none; color: var(--quiet); }}
{_CUTS}
/* ids: what differs, and a stream */
ol.regions {{ margin: 0; padding-left: 1.6rem; max-height: 20rem; overflow-y: auto; }}
ol.regions > li {{ margin: 0 0 0.3rem; }}
table.stream {{ border-collapse: collapse; font-size: 0.9rem; }}
.stream th {{ text-align: left; font-weight: 600; font-size: 0.85rem; color: var(--quiet); padding: 0 1rem 0.2rem 0; border: 0; }}
.stream sub {{ white-space: nowrap; }}
.stream td {{ padding: 0.1rem 1rem 0.1rem 0; border: 0; border-top: 1px solid var(--hair); }}
/* the parts of two tokenizers */
.parts {{ border-collapse: collapse; width: 100%; max-width: 60rem; font-size: 0.92rem; }}
.parts :is(th, td) {{ text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0; border: 0; }}
.parts > tbody > tr:not(.more) > * {{ border-top: 1px solid var(--hair); }}
.parts th {{ font-weight: 600; font-size: 0.85rem; color: var(--quiet); }}
.parts th[scope=row] {{ color: var(--ink); }} .parts td.different {{ font-weight: 600; }}
.parts .more > td {{ padding: 0 0 0.5rem 1.2rem; }} .parts .more .note {{ margin: 0 0 0.2rem; }}
.parts summary {{ cursor: pointer; color: var(--quiet); }} .parts table {{ border-collapse: collapse; margin-top: 0.3rem; }}
.parts code {{ overflow-wrap: anywhere; white-space: pre-wrap; padding: 0; background: none; color: inherit; }}
details.note summary {{ cursor: pointer; }} details.note p {{ overflow-wrap: anywhere; margin: 0.2rem 0; }}
{_DEFINITIONS}
/* a chart's table and files are in the menu below it */
div:has(> .stVegaLiteChart) > [data-testid=stElementToolbar] {{ display: none; }}
/* these tables have tools of their own; Streamlit's toolbar would cover the controls above */
[class*="{class_of(OWN_TOOLS)}"] [data-testid=stElementToolbar] {{ display: none; }}
.stApp button[kind^=primary], .stApp button[kind^=primary] * {{ color: {light_dark(ON_ACCENT)}; }}
/* many turns scroll; none of their boxes is made lower */
.st-key-chat .stElementContainer:has(.stTextArea) {{ flex-shrink: 0; }}
/* on a phone what a model is given comes before the turns */
@media (max-width: 640px) {{ .st-key-chat > div > .stHorizontalBlock > .stColumn:first-child,
  .st-key-chat > .stHorizontalBlock > .stColumn:first-child {{ order: 1; }} }}
/* on a wide screen the text is left and its tokens are right; else one below the other, and the questions last */
@media (min-width: 1200px) {{ .st-key-text-and-view {{ display: grid; gap: 0 2rem; align-items: start;
    grid-template: "text view" auto "questions view" 1fr / minmax(0, 2fr) minmax(0, 3fr); }}
  .st-key-text-and-view > :has(> .st-key-text) {{ grid-area: text; }}
  .st-key-text-and-view > :has(> .st-key-view) {{ grid-area: view; }}
  .st-key-text-and-view > :has(> .st-key-questions) {{ grid-area: questions; }}
  .st-key-text-and-view .st-key-text-tools {{ flex-wrap: wrap; }}
  .st-key-text-and-view .cuts {{ grid-template-columns: minmax(0, 1fr); }} }}
/* what the page draws of an earlier text than the box has; pictures that ask for theirs have the newest */
.behind .st-key-view .stElementContainer:not(:has([data-testid^=stBidiComponent])) {{ opacity: 0.55; transition: opacity 0.15s; }}
.st-key-questions {{ gap: 0.1rem; padding-top: 0.6rem; }}
[class*="st-key-tokens-why"] button {{ text-decoration: underline; text-underline-offset: 0.25em; text-decoration-color: var(--hair); }}
.st-key-questions button {{ min-height: 1.9rem; text-align: left; text-decoration: underline; text-underline-offset: 0.25em; text-decoration-color: var(--hair); }}
/* pages under one title of the navigation, in a row that is lower than it */
.st-key-siblings {{ margin-top: -0.4rem; }} .st-key-siblings a {{ padding-block: 0; min-height: 1.6rem; }}
/* the tabs, the views of a tab and the tokenizer in one row, all as tall as the menu */
.st-key-tabs > :has(> .st-key-tokenizer) {{ margin-left: auto; }}
@media (max-width: 640px) {{ .st-key-tabs > :has(> .st-key-tokenizer) {{ margin-left: 0; }}
  .st-key-tabs > [class*="st-key-views-of-"] {{ order: 1; }} /* below the tokenizer, which stands still */
  .st-key-tabs .stButtonGroup [role=radiogroup] {{ flex-wrap: wrap; overflow: visible; }} }}
.st-key-tabs .stButtonGroup button {{ height: 2.5rem; min-height: 2.5rem; padding-inline: 0.7rem; }}
.st-key-tabs .stPopover button {{ padding-inline: 0.6rem; }}
/* the views of a tab: lighter than the tabs, of which only the open one has a frame here */
[class*="st-key-views-of-"] button {{ height: 2rem; min-height: 2rem; padding: 0 0.7rem; border-radius: 0.4rem; }}
[class*="st-key-views-of-"] button[aria-checked="false"] {{ border-color: transparent; background: none; color: var(--quiet); }}
[class*="st-key-views-of-"] button[aria-checked="false"]:hover {{ color: var(--ink); }}
/* on a phone the tabs of Train in one row */
@media (max-width: 640px) {{ :is([class*="st-key-train-view"], [class*="st-key-compare-view"]) > .stButtonGroup button {{ padding-inline: 0.42rem; }}
  :is([class*="st-key-train-view"], [class*="st-key-compare-view"]) > .stButtonGroup button p {{ font-size: 0.86rem; }} }}
[class*="-view-head"] {{ min-height: 2rem; column-gap: 1.5rem; row-gap: 0.4rem; }}
/* as high as the window under the tabs, so that the tabs stay where they are when a short view follows a long one */
[class*="-view-body"] {{ min-height: calc(100vh - 7rem); }}
@media (forced-colors: active) {{ .token {{ border-color: CanvasText; }} }}
/* the navigation, with Streamlit's menu at its right end; clicks go through the rest of the header */
.stMainBlockContainer {{ padding-top: 0.9rem; row-gap: 0.6rem; padding-bottom: 3rem; max-width: 84rem; }}
@media (max-width: 640px) {{ .stMainBlockContainer {{ padding-left: 0.9rem; padding-right: 0.9rem; }} }}
.stAppHeader, .stAppHeader * {{ background: none; pointer-events: none; }}
/* what shows that the page works stands under Share, not on it */
@media (min-width: 641px) {{ [data-testid=stStatusWidget] {{ translate: 0 2.3rem; }} }}
.stAppHeader:focus-within {{ translate: none !important; }}
.stAppHeader button, .stAppHeader button * {{ pointer-events: auto; }}
.st-key-navigation {{ row-gap: 0.6rem; }}
/* only the link to the open page looks chosen; the link under the pointer is underlined */
.st-key-navigation a:hover:not(:has(strong)) {{ background: none; text-decoration: underline; text-underline-offset: 0.3em; }}
@media (max-width: 1100px) {{ .st-key-navigation {{ padding-right: 2.6rem; column-gap: 0.2rem; }} }}
/* while the page works: below Share, not over it */
@media (min-width: 641px) {{ [data-testid=stStatusWidget] {{ translate: 0 2rem; }} }}
/* on a phone two rows: three pages and the menu, then the other pages and Share */
@media (max-width: 640px) {{ .st-key-navigation {{ padding-right: 0; column-gap: 0; row-gap: 0.15rem; }}
  .st-key-navigation::before {{ content: ""; flex-basis: 100%; order: 1; }} .st-key-navigation > :nth-child(n+4) {{ order: 2; }} }}
/* where the settings of a training have no room in one row beside the text, they stand below it */
@media (max-width: 1000px) {{ .stHorizontalBlock:has(> .stColumn :is(.st-key-train-settings, .st-key-algorithms-settings)) {{ flex-wrap: wrap; row-gap: 0.4rem; }}
  .stHorizontalBlock:has(> .stColumn :is(.st-key-train-settings, .st-key-algorithms-settings)) > .stColumn {{ min-width: 100%; }} }}
/* on a phone the settings of a training in one row, close under the text box */
@media (max-width: 640px) {{ :is(.st-key-train-settings, .st-key-algorithms-settings) {{ gap: 0.5rem; }}
  :is(.st-key-train-settings, .st-key-algorithms-settings) > :has(> .stSelectbox) {{ flex: 1 1 7rem; width: auto; min-width: 7rem; }}
  :is(.st-key-train-settings, .st-key-algorithms-settings) > :has(> .stNumberInput) {{ flex: 0 0 6.4rem; width: 6.4rem; min-width: 0; }}
  :is(.st-key-train-settings, .st-key-algorithms-settings) .stNumberInput :is(button, .stTooltipIcon) {{ display: none; }}
  .stHorizontalBlock:has(> .stColumn .st-key-train-settings) {{ row-gap: 0.25rem; }} }}
/* the menu of Train's presets, and the note on choices, are as high as a line of text */
:is(.st-key-train-presets, .st-key-train-choices) button {{ min-height: 1.9rem; padding: 0 0.5rem; }}
:is(.st-key-train-presets, .st-key-train-choices) button p {{ font-size: 0.875rem; white-space: nowrap; }}
.st-key-train-choices {{ row-gap: 0; }}
/* on a phone the settings of both sides of a comparison beside each other */
@media (max-width: 640px) {{ .st-key-compare-settings {{ gap: 0.5rem; }}
  .st-key-compare-settings > :has(> .stHorizontalBlock) {{ flex: 1 1 40%; width: auto; min-width: 0; }}
  .st-key-compare-settings .stHorizontalBlock {{ flex-direction: column; align-items: stretch; gap: 0.3rem; }}
  .st-key-compare-settings .stHorizontalBlock > * {{ flex: none; width: 100%; min-width: 0; }}
  .st-key-compare-settings > :has(> .stNumberInput) {{ flex: 0 0 6.4rem; width: 6.4rem; min-width: 0; }}
  .st-key-compare-settings > * > :is(.stPopover, .stButton) button {{ padding-inline: 0.35rem; }}
  .st-key-compare-settings .stNumberInput :is(button, .stTooltipIcon) {{ display: none; }}
 }}
.stApp a:focus-visible, .stApp button:focus-visible, .stApp [tabindex]:focus-visible {{ outline: 2px solid var(--accent); outline-offset: 2px; }}
"""

"""Charts. Each function takes a data frame and returns a chart. Altair writes the Vega-Lite specifications."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from bpe_core.corpus.sources import MOST_MARKED
from bpe_core.pictures.shared import colours as inks
from bpe_core.pictures.shared.style import ACCENT, BAR, PAPER, TIE
from pages.parts.ui.theme import CHART_ACCENT, CHART_BAR, CHART_TIE, FILE_BAR, SIDE_COLOURS

MONO = "Source Code Pro, monospace"
ROLES = alt.Scale(domain=["next", "learnt", "tied", "other"], range=[CHART_ACCENT, CHART_ACCENT, CHART_TIE, CHART_BAR])
SIGNS = {"next": "  ← next", "learnt": "  ← learnt there", "tied": "  = tied", "other": ""}
# Pixels: the least room for names, left of the bars; the room for counts, right of the bars; the width of a letter.
LABEL_WIDTH, LABEL_ROOM, LETTER = 130, 80, 7.9
PRICES_BEGIN = 300  # pixels to the left of the bars of `prices`: room for the two names of a row
FILE_WIDTH = 640  # pixels of a chart in a file
SPECIFICATIONS = 64  # of each kind of chart, some 14 kB each, that are kept
ROWS = "rows"  # the name of a chart's data: Streamlit draws the chart after it has sent the named data
UNITS = {"tokens in the corpus": "tokens", "vocabulary": "tokens"}  # the units of the curves whose names are not units
GROWTH = {"tokens": "tokens of the text", "characters each": "characters a token gives back"}  # column → unit
MARGIN = {"left": 0, "top": 0, "right": 5, "bottom": 4}  # pixels around a chart
# The Vega expression for whole numbers along an axis: 400, 1,200, 30k.
WHOLE = "format(datum.value, abs(datum.value) < 1e4 ? ',' : '~s')"
INK = "currentColor"  # charts are drawn as SVG within the page, so the theme's text colour reaches them
# Pixels: the two sizes of text in a chart, as `--size-tiny` and `--size-small`.
TINY, SMALL = 12, 14
TEXTS = {"labelColor": INK, "titleColor": INK, "labelFontSize": TINY, "titleFontSize": TINY}  # of an axis or a legend
Spec = dict[str, Any]  # a Vega-Lite specification


class Chart(NamedTuple):
    """A chart's data and its specification.

    The specification does not depend on the data, so the browser redraws the same chart with new data.
    """

    data: pd.DataFrame
    spec: Spec


def standalone(drawn: Chart, mode: str) -> Spec:
    """Return the specification of a chart for a file. It contains the chart's data and the colours of a theme.

    `mode`: the theme, "light" or "dark".
    """
    written = json.dumps(drawn.spec)
    for name, colour in {INK: inks.INK, CHART_ACCENT: ACCENT, CHART_BAR: BAR, CHART_TIE: TIE}.items():
        written = written.replace(f'"{name}"', f'"{colour[mode]}"')
    spec = json.loads(written)
    rows = json.loads(drawn.data.to_json(orient="records"))
    config = spec["config"] | {"background": PAPER[mode]}
    whole: Spec = spec | {"datasets": {ROWS: rows}, "width": FILE_WIDTH, "config": config}
    return whole


def _cached(build: Callable[..., alt.LayerChart]) -> Callable[..., Spec]:
    """Return a function that builds the specification of a chart without its data, and caches the specification.

    Altair takes some 40 ms to write and check a specification.
    """

    def specification(*arguments: object) -> Spec:
        spec: Spec = build(*arguments).to_dict()
        for part in (spec, *spec["layer"]):
            part.pop("data", None)
        spec.pop("datasets", None)  # Altair writes an empty dictionary if there is no data
        spec["data"] = {"name": ROWS}
        spec["config"] = spec.get("config", {}) | {"axis": TEXTS, "legend": TEXTS}
        # The specification's height is the height of the drawing area alone, without any titles.
        return spec | {"autosize": {"type": "fit-x", "contains": "padding"}, "padding": MARGIN}

    return lru_cache(maxsize=SPECIFICATIONS)(specification)


def _title(text: str) -> alt.Title:
    return alt.Title(text, color=INK, fontSize=SMALL, anchor="start")


@_cached
def _pair_frequency(rows: int, name_width: int, most: int | None) -> alt.LayerChart:
    names_end = f"min({name_width}, width / 2)"
    length = alt.Scale(
        domainMin=0,
        domainMax=alt.Undefined if most is None else most,
        nice=False,
        range=[{"expr": names_end}, {"expr": f"max(width - {LABEL_ROOM}, {names_end})"}],
    )
    base = alt.Chart().encode(
        y=alt.Y("rank:O", scale=alt.Scale(domain=list(range(1, rows + 1))), axis=None),
        x=alt.X("count:Q", axis=None, scale=length),
        tooltip=[
            alt.Tooltip("pair:N", title="pair"),
            alt.Tooltip("count:Q", format=","),
        ],
    )
    bars = base.mark_bar(height={"band": 0.7}, cornerRadiusEnd=2).encode(
        color=alt.Color("role:N", scale=ROLES, legend=None)
    )
    counts = base.mark_text(align="left", dx=5, fontSize=TINY, color=INK).encode(text="label:N")
    before_bar = alt.expr(f"{names_end} - 8")
    names = base.mark_text(align="right", font=MONO, fontSize=SMALL, limit=before_bar, color=INK).encode(
        x=alt.value(before_bar), text="pair:N"
    )
    drawn = (bars + counts + names).properties(height=FILE_BAR * rows, title=_title("How often each pair is seen"))
    return drawn.configure_view(stroke=None)


def pair_frequency(pairs: pd.DataFrame, rows: int = 15, beside: pd.DataFrame | None = None) -> Chart:
    """Return a chart with a horizontal bar for each of the first `rows` pairs.

    The next merge and the pairs tied with it have colours of their own, and a sign after the count. The names of the
    pairs have the room that they need, up to half of the chart. `beside`: the pairs of a chart beside this one; the two
    charts then have the same scale.
    """
    shown = pairs.head(rows).copy()
    both = shown if beside is None else pd.concat([shown, beside])
    longest = max(map(len, both["pair"]), default=0)
    # There are few widths, so that most charts find their specification in the cache.
    name_width = max(LABEL_WIDTH, 40 * ceil((LETTER * longest + 12) / 40))
    most = None if beside is None else int(both["count"].max())
    shown["label"] = [f"{count:,}{SIGNS[role]}" for count, role in zip(shown["count"], shown["role"], strict=True)]
    return Chart(shown, _pair_frequency(rows, name_width, most))


def _with_now(points: pd.DataFrame, step: float) -> pd.DataFrame:
    """Return the points and, after them, a row that marks the current step."""
    now = pd.DataFrame({"step": [step], "now": [True]})
    return pd.concat([points.assign(now=False), now], ignore_index=True)


@_cached
def _curve(column: str, title: str) -> alt.LayerChart:
    x = alt.X(
        "step:Q", title=title, axis=alt.Axis(tickCount=4, tickMinStep=1, labelExpr=WHOLE), scale=alt.Scale(nice=False)
    )
    written: dict[str, Any] = {"format": "~g"} if " per " in column else {"labelExpr": WHOLE, "tickMinStep": 1}
    y = alt.Y(
        f"{column}:Q",
        title=UNITS.get(column, column),
        axis=alt.Axis(tickCount=4, **written),
        scale=alt.Scale(zero=False),
    )
    seen = [alt.Tooltip("step:Q", format=","), alt.Tooltip(f"{column}:Q", format=",.2~f")]
    line = alt.Chart().transform_filter("!datum.now").mark_line(color=CHART_BAR, size=2).encode(x=x, y=y, tooltip=seen)
    now = alt.Chart().transform_filter("datum.now").mark_rule(color=CHART_ACCENT, size=2).encode(x="step:Q")
    return (line + now).properties(height=160, title=_title(f"{column[0].upper()}{column[1:]}"))


def curve(points: pd.DataFrame, column: str, step: int, title: str = "step") -> Chart:
    """Return the chart of a column over a training's steps, with a mark at `step`. `title`: the x axis's title."""
    return Chart(_with_now(points[["step", column]], step), _curve(column, title))


@_cached
def _source_curves(title: str) -> alt.LayerChart:
    axis = alt.Axis(tickCount=4, tickMinStep=1, labelExpr=WHOLE)
    x = alt.X("step:Q", title="step", axis=axis, scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=title, axis=alt.Axis(tickCount=4, format="~g"), scale=alt.Scale(zero=False))
    scale = alt.Scale(domain=list(range(MOST_MARKED)), range=[inks.source_colour(n) for n in range(MOST_MARKED)])
    seen = [alt.Tooltip("source:N"), alt.Tooltip("step:Q", format=","), alt.Tooltip("value:Q", format=".2f")]
    base = alt.Chart().transform_filter("!datum.now")
    lines = base.mark_line(size=2.5).encode(
        x=x, y=y, color=alt.Color("number:N", scale=scale, legend=None), tooltip=seen
    )
    now = alt.Chart().transform_filter("datum.now").mark_rule(color=CHART_ACCENT, size=2).encode(x="step:Q")
    return (lines + now).properties(height=200, title=_title(f"{title[0].upper()}{title[1:]} of each source"))


def source_curves(points: pd.DataFrame, step: int, title: str) -> Chart:
    """Return the chart of a figure over the steps, with a line for each source and a mark at `step`.

    `points`: a frame with the columns step, source, number (the source's index) and value. `title`: the figure's title.
    """
    return Chart(_with_now(points, step), _source_curves(title))


@_cached
def _amounts(curves: tuple[str, ...]) -> alt.LayerChart:
    x = alt.X("part:N", title="how much of the text was trained on", sort=None, axis=alt.Axis(labelAngle=0))
    y = alt.Y(
        "percent:Q",
        title="percent of what all of it gives",
        axis=alt.Axis(tickCount=5),
        scale=alt.Scale(domain=[0, 100]),
    )
    legend = alt.Legend(
        title=None, orient="top", labelLimit=0, symbolType="stroke", symbolSize=500, symbolStrokeWidth=2.5
    )
    scale = alt.Scale(domain=list(curves), range=[CHART_ACCENT, CHART_BAR])
    seen = [alt.Tooltip("part:N"), alt.Tooltip("curve:N"), alt.Tooltip("percent:Q", format=".1f")]
    base = alt.Chart().encode(x=x, y=y, color=alt.Color("curve:N", scale=scale, legend=legend), tooltip=seen)
    names = base.mark_text(dy=-12, fontSize=TINY).encode(text=alt.Text("percent:Q", format=".0f"), color=alt.value(INK))
    lines = base.mark_line(size=2.5, point=alt.OverlayMarkDef(filled=True, size=60))
    below = names.transform_filter(alt.datum.curve == curves[0]).mark_text(dy=15, fontSize=TINY)
    return (lines + below + names.transform_filter(alt.datum.curve == curves[1])).properties(height=220)


def amounts(points: pd.DataFrame) -> Chart:
    """Return the chart of trainings on parts of a text, with a line for each of two figures, from 0 to 100 percent.

    `points`: a frame with the columns part (a name), curve (the figure's name) and percent.
    """
    return Chart(points, _amounts(tuple(dict.fromkeys(points["curve"]))))


@_cached
def _cost(title: str) -> alt.LayerChart:
    axis = alt.Axis(tickCount=5, tickMinStep=1, labelExpr=WHOLE)
    x = alt.X("vocabulary:Q", title=title, axis=axis, scale=alt.Scale(nice=False, zero=False))
    y = alt.Y("tokens:Q", title="tokens of the text", axis=axis, scale=alt.Scale(zero=True))
    seen = [alt.Tooltip("vocabulary:Q", format=","), alt.Tooltip("tokens:Q", format=",")]
    base = alt.Chart().encode(x=x, y=y, tooltip=seen)
    line = base.mark_line(color=CHART_BAR, size=2.5)
    asked = base.transform_filter("datum.asked != null")
    points = asked.mark_point(filled=True, size=90, opacity=1, color=CHART_ACCENT)
    names = asked.mark_text(align="left", baseline="bottom", dx=4, dy=-6, fontSize=TINY, color=INK)
    names = names.encode(text="asked:N")
    return (line + points + names).properties(height=240)


def cost(points: pd.DataFrame, asked: Collection[int], title: str = "tokens in the vocabulary") -> Chart:
    """Return the chart of how many tokens a text takes as a vocabulary grows. The axis of tokens begins at 0.

    `points`: a frame with the columns vocabulary and tokens. `asked`: the vocabulary sizes to mark. `title`: the title
    of their axis.
    """
    rows = zip(points["vocabulary"], points["tokens"], strict=True)
    names = [f"{size:,}: {tokens:,}" if size in asked else None for size, tokens in rows]
    return Chart(points.assign(asked=names), _cost(title))


@_cached
def _growth(column: str) -> alt.LayerChart:
    axis, legend = (
        alt.Axis(tickCount=5, tickMinStep=1, labelExpr=WHOLE),
        alt.Legend(title=None, orient="top", symbolType="stroke", symbolSize=500, symbolStrokeWidth=2.5),
    )
    x = alt.X("vocabulary:Q", title="tokens in the vocabulary", axis=axis, scale=alt.Scale(nice=False, zero=False))
    whole = axis if column == "tokens" else alt.Axis(tickCount=5, format="~g")
    y = alt.Y(f"{column}:Q", title=GROWTH[column], axis=whole, scale=alt.Scale(zero=False))
    color = alt.Color("side:N", sort=None, scale=alt.Scale(range=[*SIDE_COLOURS.values()]), legend=legend)
    dash = alt.StrokeDash("side:N", sort=None, scale=alt.Scale(range=[[6, 3], [1, 0]]), legend=legend)
    seen = [
        alt.Tooltip("side:N"),
        alt.Tooltip("vocabulary:Q", format=","),
        alt.Tooltip("tokens:Q", format=","),
        alt.Tooltip("characters each:Q", format=".2f"),
        alt.Tooltip("characters lost:Q", format=","),
    ]
    base = alt.Chart().encode(x=x, y=y)
    lines = base.transform_filter("!datum.now").mark_line(size=2.5)
    lines = lines.encode(color=color, strokeDash=dash, tooltip=seen)
    here = base.transform_filter("datum.now")
    now = here.mark_point(filled=True, size=90, opacity=1).encode(color=color, tooltip=seen)
    return (lines + now).properties(height=240, title=_title("What the text costs as the vocabulary grows"))


def growth(points: pd.DataFrame, now: pd.DataFrame, column: str) -> Chart:
    """Return the chart of what a text costs as two vocabularies grow. The left side's line is dashed.

    `now`: one row for each side, with the side's current vocabulary size. `points` and `now` have the columns of the
    tooltips, and the rows of the left side come first. `column`: the column that the curves show, a key of `GROWTH`.
    """
    return Chart(pd.concat([points.assign(now=False), now.assign(now=True)], ignore_index=True), _growth(column))


@_cached
def _prices(rows: int) -> alt.LayerChart:
    length = alt.Scale(domainMin=0, nice=False, range=[PRICES_BEGIN, {"expr": f"width - {LABEL_ROOM}"}])
    base = alt.Chart().encode(y=alt.Y("rank:O", scale=alt.Scale(domain=list(range(rows))), axis=None))
    whole = base.encode(x=alt.X("tokens:Q", axis=None, scale=length))
    more = whole.mark_bar(height={"band": 0.6}, color=CHART_ACCENT)
    same = base.mark_bar(height={"band": 0.6}, color=CHART_BAR).encode(x=alt.X("same:Q", axis=None, scale=length))
    labels = whole.mark_text(align="left", dx=5, fontSize=TINY, color=INK).encode(text="label:N")
    lost = base.transform_filter("datum.tokens === null").mark_text(align="left", fontSize=TINY, color=INK)
    names = base.mark_text(align="left", fontSize=SMALL, fontWeight=600, limit=PRICES_BEGIN / 2 - 15, color=INK)
    tokenizers = base.mark_text(align="right", fontSize=TINY, limit=PRICES_BEGIN / 2, color=INK)
    drawn = alt.layer(
        more,
        same,
        labels,
        lost.encode(x=alt.value(PRICES_BEGIN), text="label:N"),
        names.encode(x=alt.value(0), text="language:N"),
        tokenizers.encode(x=alt.value(PRICES_BEGIN - 8), text="tokenizer:N"),
    )
    title = _title("How many tokens the same sentence needs: in colour, more than the first language")
    return drawn.properties(height=19 * rows, title=title).configure_view(stroke=None)


def prices(rows: pd.DataFrame) -> Chart:
    """Return the chart of how many tokens a sentence takes: a bar for each language it is in and each tokenizer.

    `rows`: a frame with the columns language, tokenizer, tokens, same, label. The column `same` has the tokens, but at
    most as many as the tokenizer needs for the first language.
    """
    shown = rows.assign(rank=range(len(rows)))
    shown.loc[shown["language"].eq(shown["language"].shift()), "language"] = ""
    return Chart(shown, _prices(len(shown)))


@_cached
def _file_bars(rows: int, name_width: int) -> alt.LayerChart:
    names_end = f"min({name_width}, width / 2)"
    length = alt.Scale(
        domainMin=0, nice=False, range=[{"expr": names_end}, {"expr": f"max(width - {LABEL_ROOM}, {names_end})"}]
    )
    base = alt.Chart().encode(
        y=alt.Y("rank:O", scale=alt.Scale(domain=list(range(rows))), axis=None),
        x=alt.X("tokens:Q", axis=None, scale=length),
        tooltip=[alt.Tooltip("entry:N", title="file"), alt.Tooltip("tokens:Q", format=",")],
    )
    entered = alt.selection_point(name="entered", fields=["entry"], toggle=False)
    bars = base.mark_bar(height={"band": 0.7}, cornerRadiusEnd=2, color=CHART_BAR, cursor="pointer").add_params(entered)
    counts = base.mark_text(align="left", dx=5, fontSize=TINY, color=INK).encode(text=alt.Text("tokens:Q", format=","))
    before_bar = alt.expr(f"{names_end} - 8")
    names = base.mark_text(align="right", fontSize=SMALL, limit=before_bar, color=INK)
    drawn = bars + counts + names.encode(x=alt.value(before_bar), text="entry:N")
    return drawn.properties(height=FILE_BAR * rows).configure_view(stroke=None)


def file_bars(entries: pd.DataFrame) -> Chart:
    """Return a chart with a bar for each file or folder. A click on a bar selects its entry: `entered`.

    `entries`: a frame with the columns entry and tokens, in the order of the bars.
    """
    longest = max(map(len, entries["entry"]), default=0)
    name_width = max(LABEL_WIDTH, 40 * ceil((LETTER * longest + 12) / 40))
    return Chart(entries.assign(rank=range(len(entries))), _file_bars(len(entries), name_width))


@_cached
def _row_lengths(near: bool) -> alt.LayerChart:
    whole = alt.Axis(tickCount=5, tickMinStep=1, labelExpr=WHOLE)
    powers = alt.Axis(values=[0, *(10**k for k in range(10))], labelExpr=WHOLE)
    scale = alt.Scale(type="symlog", constant=1, nice=False, domainMin=0)
    title = "tokens of a row, on a logarithmic scale"
    seen = [alt.Tooltip(f"{name}:Q", format=",") for name in ("from", "to", "rows")]
    bars = (
        alt.Chart()
        .transform_filter("datum.limit === null")
        .mark_rect(color=CHART_BAR)
        .encode(
            x=alt.X("from:Q", title=title, axis=powers, scale=scale),
            x2="to:Q",
            y=alt.Y("rows:Q", title="rows", axis=whole, scale=alt.Scale(domainMin=0, nice=False)),
            y2=alt.datum(0),
            tooltip=seen,
        )
    )
    limit = alt.Chart().transform_filter("datum.limit !== null").mark_rule(color=CHART_ACCENT, size=2)
    layers = [bars, limit.encode(x="limit:Q")] if near else [bars]  # Vega warns of a layer without data
    return alt.LayerChart(layer=layers).properties(height=180, title=_title("How long the rows are"))


def row_lengths(bins: pd.DataFrame, limit: int) -> Chart:
    """Return the chart of how many rows have how many tokens, with a line at a limit if the rows come near it.

    `bins`: a frame with the columns from, to, rows.
    """
    near = bool(len(bins) and limit <= 4 * bins["to"].max())
    line = pd.DataFrame({"limit": [limit]} if near else {"limit": []}, dtype=float)
    return Chart(pd.concat([bins.assign(limit=float("nan")), line], ignore_index=True), _row_lengths(near))

"""Charts: data frames in, Altair charts out. A chart's specification is constant; only its data change."""

from __future__ import annotations

import altair as alt
import pandas as pd

from pages.parts.theme import CHART_ACCENT, CHART_BAR, CHART_TIE

MONO = "Source Code Pro, monospace"
ROLES = alt.Scale(domain=["next", "tied", "other"], range=[CHART_ACCENT, CHART_TIE, CHART_BAR])
SIGNS = {"next": "  ← next", "tied": "  = tied", "other": ""}
LABEL_WIDTH = 130
INK = "currentColor"  # charts are drawn as SVG within the page, so the theme's text colour reaches them


def pair_frequency(pairs: pd.DataFrame, rows: int = 15) -> alt.LayerChart:
    """Horizontal bars, one a pair; the next merge and its ties differ in colour and in the sign behind the count."""
    shown = pairs[["rank", "pair", "count", "role"]].head(rows).copy()
    shown["label"] = [f"{count:,}{SIGNS[role]}" for count, role in zip(shown["count"], shown["role"], strict=True)]
    base = alt.Chart(shown).encode(
        y=alt.Y("rank:O", scale=alt.Scale(domain=list(range(1, rows + 1))), axis=None),
        x=alt.X(
            "count:Q", axis=None, scale=alt.Scale(domainMin=0, nice=False, range=[LABEL_WIDTH, {"expr": "width - 80"}])
        ),
        tooltip=[alt.Tooltip("pair:N", title="pair"), alt.Tooltip("count:Q", format=",")],
    )
    bars = base.mark_bar(height={"band": 0.7}, cornerRadiusEnd=2).encode(
        color=alt.Color("role:N", scale=ROLES, legend=None)
    )
    counts = base.mark_text(align="left", dx=5, fontSize=12, color=INK).encode(text="label:N")
    names = base.mark_text(align="right", font=MONO, fontSize=13, limit=LABEL_WIDTH - 8, color=INK).encode(
        x=alt.value(LABEL_WIDTH - 8), text="pair:N"
    )
    return (bars + counts + names).properties(height=alt.Step(25)).configure_view(stroke=None)

"""The charts of a film: their Vega-Lite specifications, and the script of Vega that draws them.

The browser draws the charts once, then changes only their data.

A child process makes the script of the package vl-convert. That takes one to five seconds, and 130 MB of memory that
the server's own process would never free. So the script is kept in the user's cache folder, and made once for each
machine and version. Where no such folder can be written, each server makes it anew.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import altair as alt

from bpe_core.pictures.film.film_script import Charts
from bpe_core.record.frames import PAIRS
from pages.parts.ui.theme import CHART_ACCENT, CHART_BAR

VEGA_VERSION = version("vl-convert-python")
_WRITE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"

MONO = "Source Code Pro, monospace"
SANS = "Source Sans, sans-serif"
INK = "currentColor"  # charts are drawn as SVG within the page, so the theme's text colour reaches them
STEP, NAMES, LABELS = 18, 124, 66  # pixels: the height of a row of the chart, the width of names, the width of labels
TIMELINE = 30  # pixels: the height of the timeline
ROLES = ["next", "tied", "other", "unsaid"]  # "unsaid": the visitor is guessing the pair, so its bar is invisible
# By default bars have padding. These have none, since the buttons over the bars are as high as a row.
ROWS = alt.Scale(domain=[0.5, PAIRS + 0.5], range=[0, STEP * PAIRS], nice=False, padding=0)
FILL = alt.Scale(domain=ROLES, range=[CHART_ACCENT, CHART_BAR, CHART_BAR, "transparent"])
EDGE = alt.Scale(domain=ROLES, range=[CHART_ACCENT, CHART_ACCENT, CHART_BAR, "transparent"])  # edges mark ties


@lru_cache(maxsize=1)
def pairs() -> dict[str, Any]:
    """Return the film's chart of the most frequent pairs. A row has the pair, a horizontal bar and a label.

    The data is called "rows" and has the columns number, rank, pair, share, label and role. `number`: the row's place,
    counted from 0 (see `charts.js`); rows of the same number would be one bar. `share`: the length of the bar, 0 to 1.
    While a bar moves, its rank is a fraction.
    """
    length = alt.Scale(domain=[0, 1], nice=False, range=[NAMES, {"expr": f"max(width - room, {NAMES} + 8)"}])
    base = alt.Chart(alt.NamedData("rows")).encode(
        y=alt.Y("rank:Q", axis=None, scale=ROWS),
        x=alt.X("share:Q", axis=None, scale=length),
        key="number:Q",
    )
    bars = base.mark_bar(orient="horizontal", size=11, cornerRadiusEnd=2, strokeWidth=1.5).encode(
        x2=alt.datum(0),
        fill=alt.Fill("role:N", scale=FILL, legend=None),
        stroke=alt.Stroke("role:N", scale=EDGE, legend=None),
    )
    labels = base.mark_text(align="left", dx=5, font=SANS, fontSize=12, color=INK).encode(text="label:N")
    names = base.mark_text(align="right", font=MONO, fontSize=12, limit=NAMES - 8, color=INK).encode(
        x=alt.value(NAMES - 8), text="pair:N"
    )
    room = alt.param(name="room", value=LABELS)  # a film sets it to what its widest label needs: see `bars.js`
    return _written((bars + labels + names).add_params(room).properties(width=320, height=STEP * PAIRS))


@lru_cache(maxsize=1)
def timeline() -> dict[str, Any]:
    """Return the chart of a run over time: the count of every merge and, below it, the share of ties.

    The data is called "rows". A row is a merge or a range of merges. `number`: as in `pairs`. `from`, `to`: the ends of
    the row's range, as shares of the run, 0 to 1. `ties`: the share of the row's merges that were ties.
    """
    x = alt.X("from:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))
    base = alt.Chart(alt.NamedData("rows"))
    counts = base.mark_area(interpolate="step-after", color=CHART_BAR, opacity=0.5).encode(
        x=x, y=alt.Y("count:Q", axis=None, scale=alt.Scale(type="symlog", domainMin=0, range=[TIMELINE - 9, 0]))
    )
    share = alt.Opacity("ties:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0, 1]))
    ties = base.mark_rect(color=CHART_ACCENT).encode(
        x=x, x2="to:Q", y=alt.value(TIMELINE - 5), y2=alt.value(TIMELINE), opacity=share, key="number:Q"
    )
    return _written((counts + ties).properties(width=800, height=TIMELINE))


def along() -> dict[str, Any]:
    """Return the charts along the film's slider: name of a chart in `film_side.ALONG` → the chart with its legend."""
    shares = f"linear-gradient(to right, transparent, {CHART_ACCENT})"
    ties = [["Count of each merge, logarithmic", f"color-mix(in srgb, {CHART_BAR} 50%, transparent)"], ["ties", shares]]
    return {"timeline": {"chart": timeline(), "legend": ties, "ends": True}}


def charts(vega: str = "") -> Charts:
    """Return all charts of a film. `vega`: the script of Vega for a saved page; "" for a film in the app."""
    return Charts(pairs(), along(), vega)


def _written(chart: alt.LayerChart) -> dict[str, Any]:
    """Return the specification of a chart, without padding, background or frame."""
    return (
        chart.properties(autosize="none")
        .configure(padding=0, background="transparent", view={"stroke": None})
        .to_dict()
    )


def vega_script() -> bytes:
    """Return the script of Vega: from the cache folder, or made now and written there."""
    with suppress(OSError, RuntimeError):  # no such file, or a user without a home
        return _file().read_bytes()
    made = subprocess.run([sys.executable, "-c", _WRITE], check=True, stdout=subprocess.PIPE).stdout
    with suppress(OSError, RuntimeError):
        _write(_file(), made)
    return made


def _file() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    folder = given if given.is_absolute() else Path.home() / ".cache"
    return folder / "mergescope" / f"vega-{VEGA_VERSION}.js"


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all: another server may read or write it at the same time."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # `bpe_core` keeps machine code there
    with NamedTemporaryFile(dir=file.parent, delete=False) as part:
        try:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
            Path(part.name).replace(file)
        except OSError:
            Path(part.name).unlink()
            raise

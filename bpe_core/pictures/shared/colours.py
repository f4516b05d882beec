"""The colours of tokens: a token's hue follows from its bytes, so it is the same everywhere and at every step.

Where two neighbouring tokens would have the same colour, the second token gets a deeper shade of that colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from zlib import crc32

INK = {"light": "#1c1b19", "dark": "#f4f1ea"}  # the text on a token
SOFT = {"light": "#4c4842", "dark": "#e6e0d5"}  # marks and ids on a token
HUES = 12
_SHADES = {"light": ((0.90, 0.07), (0.82, 0.09)), "dark": ((0.40, 0.09), (0.48, 0.09))}  # (lightness, chroma)


def hue(token: bytes, hues: int = HUES) -> int:
    """Return the hue of a token: a number below `hues` that follows from its bytes.

    >>> hue(b"low"), hue(b"est")
    (5, 5)
    """
    return crc32(token) % hues


def shades(tokens: Sequence[bytes], hues: int = HUES) -> list[int]:
    """Return the shades of tokens in a row: 0 for the usual shade, 1 for the deeper shade.

    A token gets the deeper shade if the token before it has the same hue in the usual shade.

    >>> shades([b"a", b"a", b"a", b"b"])
    [0, 1, 0, 0]
    """
    chosen: list[int] = []
    for i, token in enumerate(tokens):
        clash = i > 0 and hue(token, hues) == hue(tokens[i - 1], hues) and chosen[-1] == 0
        chosen.append(int(clash))
    return chosen


def palette(mode: str) -> list[tuple[str, str]]:
    """Return (usual background, deeper background) for each hue; `mode`: "light" or "dark".

    Text on a background has the colour `INK[mode]`.

    >>> palette("light")[0]
    ('#ffcbdc', '#f5acc2')
    """
    usual, deeper = _SHADES[mode]
    return [(oklch(*usual, degrees), oklch(*deeper, degrees)) for degrees in (360 * hue / HUES for hue in range(HUES))]


def source_colour(number: int) -> str:
    """Return the colour of a source of a training, by its index: 3:1 or better on the background of both themes.

    >>> source_colour(0), source_colour(12) == source_colour(0)
    ('#488acb', True)
    """
    return oklch(0.62, 0.12, (250 + 150 * number) % 360)


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """Return an OKLCH colour (hue in degrees) as `#rrggbb`, clipped to sRGB.

    Source of the matrices: Björn Ottosson, "A perceptual color space for image processing" (2020).

    >>> oklch(1.0, 0.0, 0.0)
    '#ffffff'
    """
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(max(c, 0.0), 1.0))):02x}" for c in linear)


def _gamma(c: float) -> float:
    return 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055

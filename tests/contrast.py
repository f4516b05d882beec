"""The contrast of two colours."""

import re


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two `#rrggbb` colours, as WCAG 2 defines it.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted(map(_luminance, (one, other)))
    return round((light + 0.05) / (dark + 0.05), 2)


def hex_of(rgb: str) -> str:
    """Return an opaque colour, as a browser computes it, as `#rrggbb`.

    >>> hex_of("rgb(23, 22, 20)")
    '#171614'
    """
    red, green, blue = map(int, re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", rgb).groups())
    return f"#{red:02x}{green:02x}{blue:02x}"


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

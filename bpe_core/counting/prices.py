"""Prices of tokens: read as people write them, and what tokens cost, written.

The browser has the reading in `pictures/shared/numbers.js`.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

NO_PRICE = "A price is a number such as 2.50."
UNCLEAR_PRICE = "A comma before three digits may be a point: write 1000, or 1.0."
_LONE_COMMA = re.compile(r"\D*\d{1,3},\d{3}\D*")
# A number with a decimal point and one with a decimal comma. Thousands are apart by the other sign, a space or "'".
_POINT = re.compile(
    r"\d+\.?\d*|\.\d+|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:[\s'’]\d{3})+(?:\.\d+)?", re.ASCII
)
_COMMA = re.compile(
    r"\d+,\d{1,2}|\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:[\s'’]\d{3})+,\d{1,2}", re.ASCII
)
_OF_A_MILLION = re.compile(r"\s*(?:/|\b(?:per|a)\b)\s*(?:1\s*)?(?:M|million)\s*(?:tok(?:en)?s?)?$", re.I)


def why_no_price(written: str) -> str:
    """Return why a text is no price for `price_of`; "" for a price, and for nothing.

    >>> why_no_price("1,000"), why_no_price("free"), why_no_price("2,50 €"), why_no_price(" ")
    ('A comma before three digits may be a point: write 1000, or 1.0.', 'A price is a number such as 2.50.', '', '')
    """
    if not written.strip() or price_of(written) is not None:
        return ""
    return UNCLEAR_PRICE if _LONE_COMMA.fullmatch(written) else NO_PRICE


def price_of(written: str) -> float | None:
    """Return the number in a written price of a million tokens; None if it is no price, or could be two.

    A lone comma before three digits may stand for a point or part thousands, so "1,000" is refused.

    >>> price_of(".5"), price_of("2,50 €"), price_of("1,000.50"), price_of("$2.50 / 1M"), price_of("3 USD")
    (0.5, 2.5, 1000.5, 2.5, 3.0)
    >>> price_of("1,000"), price_of("free"), price_of("-1"), price_of("$2 / 1K")
    (None, None, None, None)
    """
    bare = _OF_A_MILLION.sub("", written.strip())
    bare = re.sub(r"^[A-Z]{2,3}\b\s*|\s*\b[A-Z]{3}$", "", bare).strip()
    if bare and unicodedata.category(bare[0]) == "Sc":
        bare = bare[1:].strip()
    elif bare and unicodedata.category(bare[-1]) == "Sc":
        bare = bare[:-1].strip()
    if _POINT.fullmatch(bare):
        return float(re.sub(r"[^0-9.]", "", bare))
    return float(re.sub(r"[^0-9,]", "", bare).replace(",", ".")) if _COMMA.fullmatch(bare) else None


def cost(amount: float) -> str:
    """Return what tokens cost, with four decimals, and a small amount with two digits that say something.

    >>> cost(1234.5), cost(0.0123), cost(0.000065), cost(0)
    ('1,234.5000', '0.0123', '0.000065', '0.0000')
    """
    return f"{amount:,.4f}" if not 0 < amount < 0.01 else f"{Decimal(f'{amount:.1e}'):f}"


def money(written: str, amount: str) -> str:
    """Return an amount with the currency of a written price; with $ if the price names none.

    >>> money("2.50", "0.01"), money("2,50 €", "0.01"), money("3 CHF / 1M", "0.01")
    ('$0.01', '€0.01', 'CHF 0.01')
    """
    sign = next((char for char in written if unicodedata.category(char) == "Sc"), "")
    code = re.search(r"\b[A-Z]{3}\b", _OF_A_MILLION.sub("", written.strip()))
    return f"{sign}{amount}" if sign else f"{code[0]} {amount}" if code else f"${amount}"

"""Prices as people write them."""

from bpe_core.counting.prices import price_of
from tests.texts import NO_PRICES, PRICES


def test_a_price_is_never_read_as_another_number():
    assert {text: price_of(text) for text in PRICES} == PRICES
    assert {text for text in NO_PRICES if price_of(text) is not None} == set()

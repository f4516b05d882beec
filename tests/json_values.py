"""Data as JSON has it, with what is odd in some notation: for tests against other readers and writers."""

from hypothesis import strategies as st

ODD = ["", " a", "a ", "-", "-x", "#a", "true", "null", "05", "+1", "1e5", "1.", "a,b", "a:b", "x y", "é", "😀", "\n"]
ODD += ["\t", "\u00a0a", "\u2028", "\0", "[]", "{", "a.b", "a-b", "٣", "0x1", "\x7f", "\x85", "=", "<<", "~", "yes"]
ODD += ["2001-01-01", "1_000", "0o7", "1:30", '"', "'", "\\", "&a", "*a", "!a", "%a", "@a", "?", ">", "|", "- a"]
texts = st.sampled_from(ODD) | st.text(max_size=6)
names = st.sampled_from(["a", "b", "a-b", "a.b", "", "é", "a b", "_x", "on"]) | st.text(max_size=4)
numbers = st.integers(1 - 2**53, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
plain = st.none() | st.booleans() | numbers | texts


def _tables(values):
    keys = st.lists(names, min_size=1, max_size=3, unique=True)
    return keys.flatmap(lambda found: st.lists(st.fixed_dictionaries(dict.fromkeys(found, values)), max_size=3))


_rows = _tables(plain) | _tables(st.fixed_dictionaries({"p": plain, "q": plain}))
_by_key = _rows.flatmap(
    lambda rows: st.lists(names, min_size=len(rows), max_size=len(rows), unique=True).map(
        lambda keys: dict(zip(keys, rows, strict=True))
    )
)
data = st.recursive(
    plain | _rows | _by_key,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=10,
)

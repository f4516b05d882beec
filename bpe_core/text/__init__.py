"""From a text to its pretokens: normalizers, pretokenizers, special tokens, and the symbols words are made of."""

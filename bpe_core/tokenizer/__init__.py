"""From a text to ids and back with a trained or opened vocabulary, and the reasons for every token.

In reading order: `merging` and `longest_match` (one word), `tokens_and_merges` (what is known of an id), `encoder` (a
pretoken), `walking` (a text), `walk` (the four arrays that it leaves), `encoding` (what is seen of them), `tokenizer`
(and back). Then, for every vocabulary size at once: `derivations`, `cost_curve`. And about single tokens: `trace`,
`biography`, `unreachable`.
"""

"""From a text to ids and back with a trained or opened vocabulary, and the reasons for every token.

In reading order: `merging` and `longest_match` (one word), `encoder` (a text), `encoding` (where each token stands),
`tokenizer` (and back). Then, for every vocabulary size at once: `derivations`, `boundaries`, `token_table`,
`cost_curve`, `alignment`. And about single tokens: `trace`, `biography`.
"""

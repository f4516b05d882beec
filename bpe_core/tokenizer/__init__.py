"""From a text to ids and back with a trained or opened vocabulary, and the reasons for every token.

In reading order: `merging` and `longest_match` (one word), `derivations` and `tokens_and_merges` (what is known of an
id), `memo` and `encoder` (a pretoken), `walking` (a text), `walk` (the four arrays that it leaves), `encoding` (what is
seen of them), `tokenizer` (and back). The same for many words at a time: `rank_table`, `merging_arrays`,
`encoding_arrays`. After the tokens: `post_processing`. A text at every vocabulary size at once: `cost_curve`. About
single tokens: `trace`, `biography`, `unreachable`, `mixed_tokens`.
"""

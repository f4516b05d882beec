"""From a text to ids and back with a trained or opened vocabulary, and the reasons for every token.

In reading order: `merging` (one word), `base_symbols`, `derivations` (what made a token), `vocabulary` (each id),
`word_encoder` (a pretoken), `text_pipeline` (a text), `walk` (its arrays), `encoding` (the views of these arrays),
`tokenizer` (all together). Many words at a time: `merging_arrays`. After the tokens: `post_processing`. Ids that were
printed: `written_ids`. A text at every vocabulary size at once: `cost_curve`. About single tokens: `biography`,
`unreachable`, `mixed_tokens`.
"""

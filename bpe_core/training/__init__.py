"""From counts to merges.

In reading order: `lifetimes` (the result of a training), `working_corpus` (the corpus while it is merged),
`pair_queue` and `tie_order` (which pair is next), `trainer` (the loop).
"""

"""From counts to merges.

In reading order: `lifetimes` (what a training leaves behind), `working_corpus` (the corpus while it is merged),
`pair_queue` and `tie_order` (which pair is next), `trainer` (the loop).
"""

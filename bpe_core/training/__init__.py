"""From counts to merges.

In reading order: `lifetimes` (the result of a training), `working_corpus` (the corpus while it is merged), `tie_order`
(which of equal pairs is next), `trainer` (the queue of pairs and the loop). Then the same loop as machine code: `loops`
(which loop trains what), `compiled_loop` and `compiled_trainer` (the loop), `compiling` (where it is compiled and
cached).
"""

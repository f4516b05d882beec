"""From counts to merges.

In reading order: `lifetimes` (the result of a training), `working_corpus` (the corpus while it is merged), `trainer`
(the queue of pairs, which of equal pairs is next, and the loop). Then the same loop as machine code: `loops` (which
loop trains what), `compiled_loop` and `compiled_trainer` (the loop), `compiling` (where it is compiled and cached).
"""

"""Any step of a finished training: the corpus, the pairs and the merges as they were then.

In reading order: `corpus_history` (the words at any step), `meetings` and `pair_history` (the pairs and their counts),
`pair_order` (which pair comes first), `contributions` and `blocked_pairs` (where counts come from), `run` (all of it in
one value), `memory` (what it takes), `recording` (how it is made). The others build on a run: `check`, `frames`,
`side_by_side`.
"""

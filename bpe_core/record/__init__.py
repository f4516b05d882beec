"""Any step of a finished training: the corpus, the pairs and the merges at that step.

    corpus_history      the words at any step              from the film (see the chapter `training`)
    meetings            which pairs were where, and when   from the film
    pair_history        the counts of all pairs            from the meetings
    pair_order          which pair comes first             by count, then by the tie rule
    blocked_pairs       pairs of tokens in two words       from the text
    run                 the record: all of these in one value, with bytes instead of ids
    recording           `train`: from a text to its record

Three modules build on a record: `check` (recompute a step), `frames` (what a screen shows), `side_by_side` (two runs).
"""

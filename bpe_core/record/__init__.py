"""Any step of a finished training: the corpus, the pairs and the merges at that step.

    corpus_history      the words at any step              from the lifetimes (see the chapter `training`)
    pair_intervals      which pairs were where, and when   from the lifetimes
    pair_history        the counts of all pairs            from the intervals
    pair_order          which pair comes first             by count, then by the tie rule
    blocked_pairs       pairs of tokens in two words       from the text
    run                 the record: all of the above in one value, with bytes instead of ids
    start               the tokens that a training starts from, if not the alphabet
    run_training        `train`: from a text to its record, in one stage or two
    all_stages          the records of all stages as one

Three modules use a record: `check` (recompute a step), `frames` (a step for a screen), `side_by_side` (two runs).
"""

"""Any step of a finished training: the corpus, the pairs and the merges at that step.

    corpus_history      the words at any step              from the lifetimes (see the chapter `training`)
    pair_history        where and how often pairs were     from the lifetimes
    pair_order          which pair comes first             by count, then by the tie rule
    blocked_pairs       pairs of tokens in two words       from the text
    record              the record of a stage: all of the above in one value, with bytes instead of ids
    ledger              the counts of all these by source  from the counts of each source
    held_bytes          how many bytes a record takes, for caches
    run                 the run of a training: its stages, most often one, with steps that count through them
    start_tokens        the tokens that a training starts from, if not the alphabet
    start_merges        the merges that made these         from the words
    stages              the training of a run, in one stage or two
    run_training        `train`: from a text to its record

Four modules use a record: `check` recomputes a step, `frames` has the steps for a film in one pass, `side_by_side`
compares two runs, and `run_file` writes a run to a file.
"""

"""From counts to merges: the corpus while it is merged, and the trainer."""

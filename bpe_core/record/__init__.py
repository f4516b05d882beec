"""Any step of a finished training: the corpus, the pairs and the merges as they were then."""

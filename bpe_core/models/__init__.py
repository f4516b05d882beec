"""The rivals of BPE on the same corpus: WordPiece, Unigram, whole words and single characters."""

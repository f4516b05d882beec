"""The texts that pages work on: corpora, and the examples."""

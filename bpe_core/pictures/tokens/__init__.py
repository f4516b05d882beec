"""The tokens of a text, and the tree of merges that made a token."""

"""One text under several tokenizers, a row each."""

"""One text under several tokenizers, a row for each tokenizer."""

"""The texts that pages work on: the examples, your text, and its box."""

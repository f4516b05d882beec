"""The parts of Tokens: the views of a text."""

"""The end of a prompt."""

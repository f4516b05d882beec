"""The end of a prompt: the prompt's tokens, and the tokens of the whole text that begins with the prompt."""

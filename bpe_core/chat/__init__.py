"""Chat: from the turns of a chat to the tokens that a model is given."""

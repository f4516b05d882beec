"""The view of a text's tokens, which the start page and the Playground share."""

"""Are two tokenizers the same? Their parts side by side, and a search for a text on which their ids differ."""

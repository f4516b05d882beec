"""The furniture that pages share: frame, text box, settings, menus of tokenizers, the tokens of a text."""

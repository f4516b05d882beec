"""The furniture that pages share: frame, text box, settings, menus of tokenizers."""

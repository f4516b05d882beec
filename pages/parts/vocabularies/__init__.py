"""The vocabularies that pages show, published, trained or opened; their choice; the view of a text's tokens."""

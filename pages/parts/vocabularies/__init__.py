"""The vocabularies that pages show: published, trained, opened; their choice, and the tokens of a text in one."""

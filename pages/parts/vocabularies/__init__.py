"""The vocabularies that pages show: published, trained or opened."""

"""From a text to ids and back with a trained or opened vocabulary, and the reasons for every token."""

"""The film: a training, step by step."""

"""Chat: from turns to what a model is given."""

"""The parts of the Playground: the choice of a tokenizer, and the views that show what the tokenizer does."""

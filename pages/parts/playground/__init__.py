"""The parts of the Playground: the choice of a tokenizer, and the views of what it does."""

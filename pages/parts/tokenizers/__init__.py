"""The parts of Tokenizers: a vocabulary token by token, and two tokenizers beside each other."""

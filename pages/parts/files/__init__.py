"""The parts of Files: the files that a visitor opens, and what they cost."""

"""The parts of the Learn page: lessons, their questions and what they show."""

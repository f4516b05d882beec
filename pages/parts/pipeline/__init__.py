"""The parts of the Pipeline page, from a text to ids and back."""

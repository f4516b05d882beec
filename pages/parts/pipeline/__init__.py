"""The parts of Inside, from a text to ids and back."""

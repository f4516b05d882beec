"""The parts of the Pipeline page: the parts from a text to ids and back."""

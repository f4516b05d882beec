"""The parts of the Pipeline page: the stages from a text to ids and back."""

"""The parts of Chat: the turns, the template, and the views of what a model is given."""

"""The parts of the Train page: its panels and its files."""

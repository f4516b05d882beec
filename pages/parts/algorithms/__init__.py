"""The parts of the Algorithms page: the rivals of byte-pair encoding on one corpus."""

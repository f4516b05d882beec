"""The parts that several pictures share."""

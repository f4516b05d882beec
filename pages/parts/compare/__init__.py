"""The parts of the Compare page: two trainings on one text."""

"""The session of a visitor: the pages' values, texts, links and trainings."""

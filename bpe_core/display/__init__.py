"""Tokens as text and pictures that people read. Of the algorithms, only methods for notebooks use it."""

"""Tokens as text and pictures that people read. No algorithm imports this chapter."""

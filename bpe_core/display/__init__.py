"""Tokens as text that people read. No algorithm imports this chapter."""

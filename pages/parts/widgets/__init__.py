"""Widgets that several pages have."""

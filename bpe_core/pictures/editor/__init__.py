"""The editor: a text area that sends its text while one types."""

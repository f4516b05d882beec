"""The editor: a text area that sends its text while a person types."""

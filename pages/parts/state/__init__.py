"""The states of the pages, in the session and in links."""

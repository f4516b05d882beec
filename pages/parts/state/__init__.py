"""The states of the pages, in the session and in links: each page's own values, and those that pages share."""

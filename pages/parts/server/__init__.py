"""The server of all pages: limits, policies for browsers, uploads, and contents that are served besides the pages."""

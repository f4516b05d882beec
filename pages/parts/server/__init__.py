"""The server of all pages: its limits, what browsers may do, uploads, and what it serves besides the pages."""

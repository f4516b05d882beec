"""What only the Train page has: the views below its film, and the export of files."""

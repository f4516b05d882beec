"""A folder for any static host: the page that encodes and trains in the reader's tab."""

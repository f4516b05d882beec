"""Pictures as HTML files, in a gallery and in a notebook."""

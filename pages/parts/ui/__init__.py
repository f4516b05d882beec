"""What any page draws with: controls, sentences, tables, charts, the moving pictures, downloads, the theme."""

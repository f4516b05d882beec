"""What any page draws with: the frame, controls, sentences, tables, charts, the moving pictures, downloads."""

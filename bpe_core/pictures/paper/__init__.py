"""Still pictures: SVG, PNG, LaTeX, HTML, and the terminal."""

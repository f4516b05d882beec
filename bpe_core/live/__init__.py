"""Live pictures: plain web modules, and the Python that makes their data and their scripts.

`web/` has the modules: the film of a training, the tokens of a text, the editor. They need no server: `script` makes
one script of a view's modules, which a Streamlit component, a notebook or an HTML file on a disk can run.
"""

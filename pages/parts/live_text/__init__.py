"""Browser components for a text: an editor, and its tokens at every size of the vocabulary. They know no session."""

"""Chat: from the turns of a chat to the tokens that a model is given.

A name is imported when it is first used, since a template's process has a home here too, and needs none of them.
"""

from bpe_core.lazy_names import lazy_names

__all__, __getattr__, __dir__ = lazy_names(globals())

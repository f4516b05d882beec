"""Chat: from the turns of a chat to the tokens that a model is given.

A name is imported when it is first used, since a template's process has a home here too, and needs none of them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_core.chat.conversation import ChatRequest as ChatRequest
    from bpe_core.chat.conversation import Requests as Requests
    from bpe_core.chat.conversation import requests as requests
    from bpe_core.chat.cost import ToolCosts as ToolCosts
    from bpe_core.chat.cost import tool_costs as tool_costs
    from bpe_core.chat.given_json import ChatError as ChatError
    from bpe_core.chat.given_json import read_tools as read_tools
    from bpe_core.chat.model_input import ModelInput as ModelInput
    from bpe_core.chat.rendered import Rendered as Rendered
    from bpe_core.chat.rendering import render as render
    from bpe_core.chat.templates import CHAT_TEMPLATES as CHAT_TEMPLATES
    from bpe_core.chat.templates import ChatTemplate as ChatTemplate
    from bpe_core.chat.templates import Turn as Turn
    from bpe_core.chat.templates import read_template as read_template
    from bpe_core.chat.templates import read_turns as read_turns
    from bpe_core.chat.variables import variables_of as variables_of
else:
    from importlib import import_module

    _NAMES = {
        "given_json": ("ChatError", "read_tools"),
        "model_input": ("ModelInput",),
        "rendered": ("Rendered",),
        "rendering": ("render",),
        "variables": ("variables_of",),
        "conversation": ("ChatRequest", "Requests", "requests"),
        "templates": ("CHAT_TEMPLATES", "ChatTemplate", "Turn", "read_template", "read_turns"),
        "cost": ("ToolCosts", "tool_costs"),
    }
    _HOMES = {name: f"bpe_core.chat.{module}" for module, names in _NAMES.items() for name in names}
    __all__ = sorted(_HOMES)

    def __getattr__(name: str) -> object:
        """Import a name when it is first used."""
        if name not in _HOMES:
            raise AttributeError(f"module 'bpe_core.chat' has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found

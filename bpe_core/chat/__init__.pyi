"""The names of the folder, each with its home. `__init__.py` reads this file, and so do type checkers and editors."""

from bpe_core.chat.conversation import ChatRequest as ChatRequest
from bpe_core.chat.conversation import Requests as Requests
from bpe_core.chat.conversation import requests as requests
from bpe_core.chat.cost import ToolCosts as ToolCosts
from bpe_core.chat.cost import tool_costs as tool_costs
from bpe_core.chat.given_json import ChatError as ChatError
from bpe_core.chat.given_json import read_tools as read_tools
from bpe_core.chat.model_input import ModelInput as ModelInput
from bpe_core.chat.rendering import Rendered as Rendered
from bpe_core.chat.rendering import render as render
from bpe_core.chat.rendering import render_batch as render_batch
from bpe_core.chat.rendering import variables_of as variables_of
from bpe_core.chat.templates import CHAT_TEMPLATES as CHAT_TEMPLATES
from bpe_core.chat.templates import ChatTemplate as ChatTemplate
from bpe_core.chat.templates import Turn as Turn
from bpe_core.chat.templates import UnknownTokenError as UnknownTokenError
from bpe_core.chat.templates import read_template as read_template
from bpe_core.chat.templates import read_turns as read_turns

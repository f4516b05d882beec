"""Ten templates in the manner of ten families of models, conversations with tools, and what `transformers` writes.

The templates are written for these tests. Each has the constructs of its family's own, which are what differs: where
tools stand and how they are written, how calls and results are, and what of an answer is learnt. `RECORDED` is what
`apply_chat_template` gives, with the tokenizer of Qwen; `tests/published/real_chats.py` makes it, and compares it.
"""

import json
from pathlib import Path

TOOLS = [
    {"type": "function", "function": {
        "name": "get_weather", "description": "Get the weather of a <city>.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "The city, such as \u00c5lesund"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "description": "The unit"},
                "days": {"type": "integer", "description": "How many days", "default": 3},
            },
            "required": ["city"],
        },
    }},
    {"type": "function", "function": {
        "name": "search", "description": "Search the web.",
        "parameters": {
            "type": "object",
            "properties": {"queries": {"type": "array", "items": {"type": "string"}, "description": "What to seek"}},
            "required": ["queries"],
        },
    }},
]  # fmt: skip
DOCUMENTS = [{"title": "Oslo", "text": "Oslo is in Norway."}, {"title": "Bergen", "text": "Rain."}]


def call(name, number, **arguments):
    return {"id": f"call1234{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


CALLED = [
    {"role": "user", "content": "What is the weather in Oslo?"},
    {"role": "assistant", "content": "", "tool_calls": [call("get_weather", 1, city="Oslo", days=2)]},
    {"role": "tool", "name": "get_weather", "tool_call_id": "call12341", "content": '{"sky": "grey"}'},
    {"role": "assistant", "content": "It is grey."},
    {"role": "user", "content": "And what is open?"},
]
TWICE = [
    {"role": "system", "content": "Use tools."},
    {"role": "user", "content": "Oslo and Bergen?"},
    {"role": "assistant", "reasoning_content": "Two places.", "content": "I look.",
     "tool_calls": [call("get_weather", 1, city="Oslo"), call("search", 2, queries=["Bergen open", "caf\u00e9"])]},
    {"role": "tool", "name": "get_weather", "tool_call_id": "call12341", "content": "grey"},
    {"role": "tool", "name": "search", "tool_call_id": "call12342", "content": "nothing"},
]  # fmt: skip

RECORDED = Path(__file__).parent / "families.json"
_GO_ON = "{% if add_generation_prompt %}"
# name → the template
FAMILIES = {
    "qwen": """
{%- if tools %}<|im_start|>system
{{ messages[0].content ~ '\\n\\n' if messages[0].role == 'system' }}<tools>
{%- for tool in tools %}{{ '\\n' ~ tool | tojson }}{% endfor %}
</tools><|im_end|>
{% endif %}
{%- set ns = namespace(last=-1) %}
{%- for m in messages[::-1] %}{% if ns.last < 0 and m.role == 'user' %}{% set ns.last = messages|length - loop.index %}
{%- endif %}{% endfor %}
{%- for m in messages if m.role != 'system' %}
{%- if m.role == 'assistant' %}<|im_start|>assistant
{% generation %}{% if m.reasoning_content and loop.index0 > ns.last %}<think>
{{ m.reasoning_content }}
</think>

{% endif %}{{ m.content }}
{%- for call in m.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>{% endgeneration %}
{% elif m.role == 'tool' %}
{%- if loop.previtem.role != 'tool' %}<|im_start|>user{% endif %}
<tool_response>
{{ m.content }}
</tool_response>{% if loop.last or loop.nextitem.role != 'tool' %}<|im_end|>
{% endif %}
{%- else %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endif %}
{%- endfor %}
"""
    + _GO_ON
    + "<|im_start|>assistant\n{% endif %}",
    "llama": """
{%- set date = date_string if date_string is defined else '26 Jul 2024' %}
{%- if messages[0]['role'] == 'system' %}{% set system = messages[0]['content']|trim %}{% set messages = messages[1:] %}
{%- else %}{% set system = '' %}{% endif %}
{{- bos_token ~ '<|start_header_id|>system<|end_header_id|>\\n\\n' }}
{{- 'Environment: ipython\\n' if tools is not none }}{{ 'Today Date: ' + date + '\\n\\n' + system + '<|eot_id|>' }}
{%- if tools is not none %}{% set question = messages[0]['content']|trim %}{% set messages = messages[1:] %}
{{- '<|start_header_id|>user<|end_header_id|>\\n\\nFunctions:\\n\\n' }}
{%- for t in tools %}{{ t | tojson(indent=4) }}{{ '\\n\\n' }}{% endfor %}{{ question + '<|eot_id|>' }}
{%- endif %}
{%- for m in messages %}
{%- if not (m.role == 'ipython' or m.role == 'tool' or 'tool_calls' in m) %}
{{- '<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n' + m['content'] | trim + '<|eot_id|>' }}
{%- elif 'tool_calls' in m %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- for call in m.tool_calls %}{{ '{"name": "' + call.function.name + '", "parameters": ' }}
{{- call.function.arguments | tojson }}{{ '}' }}{% endfor %}{{ '<|eom_id|>' }}
{%- else %}{{ '<|start_header_id|>ipython<|end_header_id|>\\n\\n' }}
{{- m.content | tojson if m.content is mapping or m.content is not string else m.content }}{{ '<|eot_id|>' }}
{%- endif %}
{%- endfor %}
"""
    + _GO_ON
    + "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}",
    "mistral": """
{%- set users = messages | selectattr('role', 'equalto', 'user') | list %}
{{- bos_token }}
{%- for m in messages %}
{%- if m['role'] == 'user' %}
{%- if tools is not none and m == users[-1] %}[AVAILABLE_TOOLS][
{%- for tool in tools %}{% set tool = tool.function %}{{ '{"type": "function", "function": {' }}
{%- for key, value in tool.items() if key != 'return' %}
{%- if value is string %}{{ '"' + key + '": "' + value + '"' }}
{%- else %}{{ '"' + key + '": ' + value|tojson }}{% endif %}
{%- if not loop.last %}, {% endif %}{% endfor %}{{ '}}' }}{% if not loop.last %}, {% endif %}
{%- endfor %}][/AVAILABLE_TOOLS]{% endif %}[INST]{{ m['content'] }}[/INST]
{%- elif m.tool_calls is defined and m.tool_calls is not none %}[TOOL_CALLS][
{%- for call in m.tool_calls %}{% set out = call.function | tojson %}
{%- if call.id is not defined or call.id | length != 9 %}{{ raise_exception('ids have nine characters') }}{% endif %}
{{- out[:-1] ~ ', "id": "' ~ call.id ~ '"}' }}{{ ', ' if not loop.last }}{% endfor %}]{{ eos_token }}
{%- elif m['role'] == 'assistant' %}{% generation %}{{ m['content'] | trim + eos_token }}{% endgeneration %}
{%- elif m['role'] == 'tool' %}[TOOL_RESULTS]{"content": {{ m.content | string }}, "call_id": "{{ m.tool_call_id }}"}
{%- endif %}
{%- endfor %}""",
    "hermes": """
{%- macro kind(spec) %}
{%- set names = {'string': 'str', 'number': 'float', 'integer': 'int', 'boolean': 'bool'} %}
{%- if spec.type in names %}{{ names[spec.type] }}
{%- elif spec.type == 'array' %}{{ 'list[' + kind(spec['items']) + ']' }}{% else %}Any{% endif %}
{%- endmacro %}
{{- bos_token ~ '<|im_start|>system\\nYou may call functions: <tools> ' }}
{%- for tool in tools %}{% if tool.function is defined %}{% set tool = tool.function %}{% endif %}
{{- '{"type": "function", "function": {"name": "' + tool.name + '", "description": "' + tool.name + '(' }}
{%- for name, spec in tool.parameters.properties | items %}{{ name + ': ' + kind(spec) }}{{ ', ' if not loop.last }}
{%- endfor %}{{ ')' }} - {{ tool.description }}", "parameters": {{ tool.parameters | tojson }}}
{{- '\\n' if not loop.last }}
{%- endfor %} </tools><|im_end|>
{% for m in messages %}
{%- if m.role == 'assistant' and m.tool_calls is defined %}<|im_start|>assistant
{%- for call in m.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments|tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% elif m.role == 'tool' %}
{%- if loop.previtem and loop.previtem.role != 'tool' %}<|im_start|>tool
{% endif %}<tool_response>
{{ m.content }}{{ '\\n</tool_response>\\n' if not loop.last else '\\n</tool_response>' }}
{%- if loop.last or loop.nextitem.role != 'tool' %}<|im_end|>
{% endif %}
{%- else %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' + '\\n' }}{% endif %}
{%- endfor %}""",
    "command": """
{%- if documents %}<results>
{% for document in documents %}Document: {{ loop.index0 }}
{% for key, value in document.items() %}{{ key }}: {{ value }}
{% endfor %}{% endfor %}</results>{% endif %}
{%- if tools %}
## Tools
{%- for tool in tools %}

def {{ tool.function.name }}(
{%- for name, spec in tool.function.parameters.properties.items() %}{{ name }}: {{ spec.type }}
{%- if name not in tool.function.parameters.required %} = None{% endif %}{{ ', ' if not loop.last }}{% endfor %}):
    \"\"\"{{ tool.function.description | replace('\\n', ' ') }}\"\"\"{% endfor %}
{% endif %}
{%- for m in messages %}
{%- if m.role|lower == 'user' %}<|USER_TOKEN|>{{ m.content }}<|END|>
{%- elif m.role|lower == 'assistant' %}<|CHATBOT_TOKEN|>{% generation %}
{%- if m.tool_calls %}Action: [{% for call in m.tool_calls %}{"tool_name": "{{ call.function.name }}", "parameters": {
{%- for key, value in call.function.arguments|dictsort %}"{{ key }}": {{ value|tojson }}{{ ', ' if not loop.last }}
{%- endfor %}}}{{ ',' if not loop.last }}{% endfor %}]{% else %}{{ m.content }}{% endif %}<|END|>{% endgeneration %}
{%- elif m.role|lower == 'tool' %}<|SYSTEM_TOKEN|><results>{{ m.content }}</results><|END|>{% endif %}
{%- endfor %}""",
    "deepseek": """
{%- set ns = namespace(is_first=false, is_tool=false, in_outputs=false, system='') %}
{%- for m in messages if m['role'] == 'system' %}{% set ns.system = ns.system ~ m['content'] %}{% endfor %}
{{- bos_token }}{{ ns.system }}
{%- for tool in tools or [] %}{{ '\\n### ' ~ tool.function.name ~ '\\n' ~ tool.function.parameters | tojson }}
{%- endfor %}
{%- for m in messages %}
{%- if m['role'] == 'user' %}{% set ns.is_tool = false %}{{ '<｜User｜>' + m['content'] }}{% endif %}
{%- if m['role'] == 'assistant' and m['tool_calls'] is defined %}{% set ns.is_first = false %}
{{- '<｜Assistant｜>' if not ns.is_tool }}
{%- for call in m['tool_calls'] %}
{%- if not ns.is_first %}{{ m['content'] + '<｜tool▁calls▁begin｜>' }}{% set ns.is_first = true %}
{%- else %}{{ '\\n' }}{% endif %}
{{- '<｜tool▁call▁begin｜>' + call['type'] + '<｜tool▁sep｜>' + call['function']['name'] + '\\n```json\\n' }}
{{- call['function']['arguments'] | tojson + '\\n```<｜tool▁call▁end｜>' }}
{%- endfor %}{{ '<｜tool▁calls▁end｜><｜end▁of▁sentence｜>' }}
{%- elif m['role'] == 'assistant' %}
{%- set content = m['content'] %}
{%- if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}
{{- ('<｜Assistant｜>' if not ns.is_tool else '<｜tool▁outputs▁end｜>') + content + '<｜end▁of▁sentence｜>' }}
{%- set ns.is_tool = false %}
{%- elif m['role'] == 'tool' %}
{{- ('<｜tool▁outputs▁begin｜>' if not ns.is_tool else '\\n') + '<｜tool▁output▁begin｜>' + m['content'] }}
{{- '<｜tool▁output▁end｜>' }}{% set ns.is_tool = true %}
{%- endif %}
{%- endfor %}
{%- if ns.is_tool %}{{ '<｜tool▁outputs▁end｜>' }}{% endif %}""",
    "granite": """
{%- if tools %}<|role|>available_tools<|end|>
{%- for tool in tools %}
{{ tool | tojson(indent=2) }}{{ '\\n' if not loop.last }}{% endfor %}<|eot|>
{% endif %}
{%- for document in documents or [] %}<|role|>document {"id": "{{ document.doc_id | default(loop.index) }}"}<|end|>
{{ document.text }}<|eot|>
{% endfor %}
{%- for m in messages %}
{%- if m.role == 'assistant' %}<|role|>assistant<|end|>
{%- generation %}{{ m.content }}
{%- for call in m.get('tool_calls', []) %}{{ '<|tool_call|>' if loop.first }}{{ call.function | tojson }}
{%- endfor %}<|eot|>
{%- endgeneration %}
{% else %}<|role|>{{ 'tool_response' if m.role == 'tool' else m.role }}<|end|>{{ m.content }}<|eot|>
{% endif %}
{%- endfor %}""",
    "harmony": """
{%- macro kind(spec) -%}
{%- if spec.enum %}{% for each in spec.enum %}{{ '"' ~ each ~ '"' }}{{ ' | ' if not loop.last }}{% endfor %}
{%- elif spec.type == 'array' %}{{ kind(spec['items']) }}[]
{%- elif spec.type in ('integer', 'number') %}number{% else %}{{ spec.type }}{% endif %}
{%- endmacro -%}
<|start|>system<|message|>Reasoning: {{ reasoning_effort | default('medium') }}<|end|>
{%- if tools %}<|start|>developer<|message|>namespace functions {
{% for tool in tools %}
// {{ tool.function.description }}
type {{ tool.function.name }} = (_: {
{% for name, spec in tool.function.parameters.properties.items() %}{{ name }}
{{- '?' if name not in (tool.function.parameters.required or []) }}: {{ kind(spec) }},
{%- if spec.default is defined %} // default: {{ spec.default }}{% endif %}
{% endfor %}}) => any;
{% endfor %}}<|end|>{% endif %}
{%- for m in messages %}
{%- if m.role == 'assistant' and m.tool_calls %}
{%- if m.thinking %}<|start|>assistant<|channel|>analysis<|message|>{{ m.thinking }}<|end|>{% endif %}
{%- set call = m.tool_calls[0].function %}<|start|>assistant to=functions.{{ call.name }}<|channel|>commentary json
{{- '<|message|>' ~ call.arguments|tojson }}<|call|>
{%- elif m.role == 'assistant' %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|end|>
{%- elif m.role == 'tool' %}<|start|>functions.{{ m.name }} to=assistant<|channel|>commentary
{{- '<|message|>' ~ m.content|tojson }}<|end|>
{%- else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endif %}
{%- endfor %}
"""
    + _GO_ON
    + "<|start|>assistant{% endif %}",
    "glm": """
{%- macro visible(content) %}
{%- if content is string %}{{ content }}
{%- elif content is iterable and content is not mapping %}
{%- for each in content if each.type == 'text' %}{{ each.text }}{% endfor %}{% endif %}
{%- endmacro -%}
[gMASK]<sop>
{%- if tools %}<|system|>
<tools>
{% for tool in tools %}{{ tool | tojson(ensure_ascii=False) }}
{% endfor %}</tools>{% endif %}
{%- for m in messages %}
{%- if m.role == 'assistant' %}<|assistant|>{% generation %}
{%- if m.reasoning_content is string %}
<think>{{ m.reasoning_content.strip() }}</think>{% else %}
<think></think>{% endif %}
{%- if visible(m.content).strip() %}
{{ visible(m.content).strip() }}{% endif %}
{%- for call in m.tool_calls or [] %}
<tool_call>{{ call.function.name }}
{% for key, value in call.function.arguments.items() %}<arg_key>{{ key }}</arg_key>
<arg_value>{{ value | tojson if value is not string else value }}</arg_value>
{% endfor %}</tool_call>{% endfor %}{% endgeneration %}
{%- elif m.role == 'tool' %}{{ '<|observation|>' if loop.first or messages[loop.index0 - 1].role != 'tool' }}
<tool_response>{{ m.content }}</tool_response>
{%- else %}<|{{ m.role }}|>
{{ visible(m.content) }}{{ '/nothink' if m.role == 'user' and enable_thinking is defined and not enable_thinking }}
{%- endif %}
{%- endfor %}
"""
    + _GO_ON
    + "<|assistant|>{% endif %}",
    "kimi": """
{%- if tools -%}<|im_system|>tool_declare<|im_middle|>{{ tools | tojson(separators=(',', ':')) }}<|im_end|>{%- endif -%}
{%- for m in messages -%}
{%- set name = m.get('name') or m['role'] -%}
{%- if m['role'] == 'tool' -%}<|im_system|>{{ name }}<|im_middle|>## Return of {{ m.tool_call_id }}
{{ m['content'] }}<|im_end|>
{%- elif m['role'] == 'assistant' -%}<|im_assistant|>{{ name }}<|im_middle|>{% generation %}{{ m['content'] or '' }}
{%- if m.get('tool_calls') -%}<|tool_calls_section_begin|>
{%- for call in m['tool_calls'] -%}<|tool_call_begin|>{{ call['id'] }}<|tool_call_argument_begin|>
{%- if call['function']['arguments'] is string -%}{{ call['function']['arguments'] }}
{%- else -%}{{ call['function']['arguments'] | tojson }}{%- endif -%}<|tool_call_end|>
{%- endfor -%}<|tool_calls_section_end|>{%- endif -%}<|im_end|>{% endgeneration %}
{%- else -%}<|im_{{ m['role'] }}|>{{ name }}<|im_middle|>{{ m['content'] }}<|im_end|>{%- endif -%}
{%- endfor -%}""",
}
GIVEN = {"bos_token": "<s>", "eos_token": "</s>"}


def asked():
    """What each family is asked: name → (messages, beginning of an answer or none, what else is given)."""
    twice = [*TWICE, {"role": "assistant", "content": "Grey, and nothing."}]
    more = {"tools": TOOLS, "documents": DOCUMENTS}
    return {
        name: (CALLED if name in ("llama", "deepseek", "harmony") else twice, number % 2 == 0, more)
        for number, name in enumerate(FAMILIES)
    }


def spans(mask):
    """The parts of a mask that are set, each with its first index and the index after its last."""
    found = []
    for at, is_set in enumerate(mask):
        if is_set and found and found[-1][1] == at:
            found[-1][1] = at + 1
        elif is_set:
            found.append([at, at + 1])
    return found


def recorded():
    """The record: its source, and name → text, count of ids, and the spans of ids that are learnt."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))

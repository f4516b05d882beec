"""Small models as folders: a `tokenizer.json` and files beside it that say more, or something else, than it says."""

import json

from bpe_core import Settings, dumps, train
from bpe_core.files.beside import RULES
from tests.files.class_files import class_files

OWN = dumps(train("hug hug pug", Settings("gpt2", vocab_size=260, special_tokens=("<s>", "</s>"))).tokenizer())
SIZE = 260
TEXTS = ["hug<x> hug", " <s> hug </s> <y>", "a <b>hug<b>"]


def config(**values):
    return {"tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", **values}}


def decoder(token_id, name, **rules):
    flags = {"lstrip": False, "normalized": False, "rstrip": False, "single_word": False, "special": True}
    return {str(token_id): {"content": name, **flags, **rules}}


# form → files beside a tokenizer.json that has the special tokens <s> and </s>, and adds nothing around a text
FORMS = {
    "added_tokens.json": {"added_tokens.json": {"<x>": SIZE, "<y>": SIZE + 1}},
    "added_tokens_decoder": config(
        added_tokens_decoder={**decoder(SIZE, "<x>", special=False), **decoder(SIZE + 1, "<y>", lstrip=True)}
    ),
    "special tokens without an id": config(bos_token="<b>", extra_special_tokens=["<x>", "<y>"], eos_token="</s>"),
    "special_tokens_map.json": {"special_tokens_map.json": {"bos_token": {"content": "<b>", "rstrip": True}}},
    "other rules of a token of its own": config(added_tokens_decoder=decoder(SIZE - 2, "<s>", rstrip=True)),
    "an id that another token has": config(added_tokens_decoder=decoder(SIZE - 2, "<x>")),
    "add_bos_token": config(bos_token="<s>", add_bos_token=True),
    "both": config(bos_token="<b>", eos_token="</s>", add_bos_token=True, add_eos_token=True),
    "add_bos_token without BOS": config(add_bos_token=True),
    "a role in both files": {
        **config(bos_token="<s>", add_bos_token=True),
        "special_tokens_map.json": {"bos_token": "</s>"},
    },
    "a role in both files, with a decoder": {
        **config(bos_token="<s>", add_bos_token=True, added_tokens_decoder=decoder(SIZE, "<x>")),
        "special_tokens_map.json": {"bos_token": "</s>"},
    },
}


def form_files(form: str) -> dict[str, bytes]:
    return OWN | {name: json.dumps(content).encode() for name, content in FORMS[form].items()}


# form → the ids of `TEXTS` in transformers 5.24, then those of "hug" with what is put around it
RECORDED = {
    "added_tokens.json": [
        [257, 260, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 261],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "added_tokens_decoder": [
        [257, 260, 32, 257],
        [32, 258, 32, 257, 32, 259, 261],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "special tokens without an id": [
        [257, 261, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 262],
        [97, 32, 260, 257, 260],
        [257],
    ],
    "special_tokens_map.json": [
        [257, 60, 120, 62, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 260, 257, 260],
        [257],
    ],
    "other rules of a token of its own": [
        [257, 60, 120, 62, 32, 257],
        [32, 258, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "an id that another token has": [
        [257, 260, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "add_bos_token": [
        [257, 60, 120, 62, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "both": [[257, 60, 120, 62, 32, 257], [32, 258, 32, 257, 32, 259, 32, 60, 121, 62], [97, 32, 260, 257, 260], [257]],
    "add_bos_token without BOS": [
        [257, 60, 120, 62, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "a role in both files": [
        [257, 60, 120, 62, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
    "a role in both files, with a decoder": [
        [257, 260, 32, 257],
        [32, 258, 32, 257, 32, 259, 32, 60, 121, 62],
        [97, 32, 60, 98, 62, 257, 60, 98, 62],
        [257],
    ],
}


ROLES_TEMPLATE = "{{ [bos_token, eos_token, unk_token, sep_token, pad_token, cls_token, mask_token]|join(' ') }}"
# what the files say of roles → what transformers 5.24 writes for `ROLES_TEMPLATE`
ROLES = {
    "a name": (config(eos_token="</s>"), " </s>     "),
    "an object": (config(eos_token={"__type": "AddedToken", "content": "</s>"}, bos_token=None), " </s>     "),
    "BERT's": (
        config(unk_token="[UNK]", sep_token="[SEP]", pad_token="[PAD]", cls_token="[CLS]", mask_token="[MASK]"),
        "  [UNK] [SEP] [PAD] [CLS] [MASK]",
    ),
    "special_tokens_map.json": (
        {**config(bos_token=None, eos_token="</s>"), "special_tokens_map.json": {"bos_token": "<s>"}},
        "<s> </s>     ",
    ),
    "only special_tokens_map.json": ({"special_tokens_map.json": {"bos_token": "</s>"}}, "</s>      "),
    "the class": (config(tokenizer_class="BertTokenizer"), "  [UNK] [SEP] [PAD] [CLS] [MASK]"),
    "the class and a name": (
        config(tokenizer_class="GPT2TokenizerFast", eos_token="</s>"),
        "<|endoftext|> </s> <|endoftext|>    ",
    ),
    "the class and none": (config(tokenizer_class="GPT2Tokenizer", bos_token=None), " <|endoftext|> <|endoftext|>    "),
}


def role_files(form: str) -> dict[str, bytes]:
    return OWN | {name: json.dumps(content).encode() for name, content in ROLES[form][0].items()}


CLASS = config(tokenizer_class="GPT2Tokenizer")
TAKEN_TEXT = "a dog & hugdog&"
# files beside GPT-2's pair that give a token the id of another one (`&` has 5) → transformers' 5.24 ids of `TAKEN_TEXT`
TAKEN = {
    "added_tokens.json": (
        {**CLASS, "added_tokens.json": {"dog": 5}},
        [64, 220, 281, 220, 5, 270, 84, 70, 281, 5],
    ),
    "two tokens": (
        {**CLASS, "added_tokens.json": {"cat": 6, "dog": 281, "hug": 5}},
        [64, 220, 283, 220, 5, 220, 281, 283, 5],
    ),
    "added_tokens_decoder": (
        config(tokenizer_class="GPT2Tokenizer", added_tokens_decoder=decoder(5, "dog")),
        [64, 220, 281, 220, 5, 270, 84, 70, 281, 5],
    ),
    "a role as well": (
        {**CLASS, "special_tokens_map.json": {"pad_token": "dog"}, "added_tokens.json": {"dog": 5}},
        [64, 220, 281, 220, 5, 270, 84, 70, 281, 5],
    ),
}


def taken_files(form: str) -> dict[str, bytes]:
    pair = class_files("GPT2Tokenizer")
    return pair | {name: json.dumps(content).encode() for name, content in TAKEN[form][0].items()}


def _bert(**normalizer) -> dict:
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "A", "e", "é", "É", "中", "##文", "文", "中文"]
    model = {
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
        "vocab": {name: i for i, name in enumerate(names)},
    }  # fmt: skip
    rules = {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}
    normal = {"type": "BertNormalizer", **rules, **normalizer}
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": normal,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": model,
    }


def _llama(**parts) -> dict:
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "▁a", "A"]
    model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    model |= {"vocab": {name: i for i, name in enumerate(names)}, "merges": [["▁", "a"]]}
    added = [
        {"id": i, "content": name, "special": True, **dict.fromkeys(RULES, False)} for i, name in enumerate(names[:3])
    ]
    return {"version": "1.0", "added_tokens": added, "model": model, **parts}


_PREPENDS = {"type": "Sequence", "normalizers": [
    {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
]}  # fmt: skip
_FIRST = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
CLASS_TEXT = "A a É</s>a 中文"
CLASS_FILES = {
    "BERT": _bert(),
    "BERT with case": _bert(lowercase=False, strip_accents=False),
    "GPT-2": json.loads(OWN["tokenizer.json"]),
    "Llama": _llama(pre_tokenizer=_FIRST),
    "Llama with Prepend": _llama(normalizer=_PREPENDS),
}
# file, class, what the config says → whether transformers 5.24 has other ids of `CLASS_TEXT` than the tokenizer.json
CLASS_FORMS = [
    ("BERT", "BertTokenizer", {}, False),
    ("BERT", "BertTokenizerFast", {"do_lower_case": True, "tokenize_chinese_chars": True}, False),
    ("BERT", "BertTokenizer", {"do_lower_case": False}, True),
    ("BERT", "DistilBertTokenizerFast", {"strip_accents": False}, True),
    ("BERT", "ElectraTokenizer", {"tokenize_chinese_chars": False}, True),
    ("BERT", "PreTrainedTokenizerFast", {"do_lower_case": False}, False),
    ("BERT with case", "BertTokenizer", {"do_lower_case": False}, False),
    ("BERT with case", "BertTokenizer", {}, True),
    ("BERT with case", "BertTokenizer", {"do_lower_case": False, "strip_accents": True}, True),
    *(
        ("GPT-2", name, {"add_prefix_space": on}, on)
        for name in ("GPT2TokenizerFast", "Qwen2Tokenizer", "GPTNeoXTokenizer", "CodeGenTokenizer", "BartTokenizer")
        for on in (True, False)
    ),
    ("GPT-2", "PreTrainedTokenizerFast", {"add_prefix_space": True}, False),
    ("Llama", "LlamaTokenizerFast", {}, False),
    ("Llama", "LlamaTokenizer", {"add_prefix_space": False}, True),
    ("Llama", "LlamaTokenizer", {"legacy": False}, False),
    ("Llama", "LlamaTokenizer", {"legacy": True}, True),
    ("Llama with Prepend", "LlamaTokenizerFast", {"legacy": False}, True),
    ("Llama with Prepend", "LlamaTokenizer", {}, True),
    ("Llama with Prepend", "LlamaTokenizer", {"legacy": True}, False),
    ("Llama with Prepend", "PreTrainedTokenizerFast", {"legacy": False}, False),
]


def class_form_files(file: str, name: str, said: dict[str, bool]) -> dict[str, bytes]:
    """A tokenizer.json and a config that names a class, with no token that the file lacks."""
    parts = {"tokenizer.json": CLASS_FILES[file], **config(**said, tokenizer_class=name)}
    return {file: json.dumps(content).encode() for file, content in parts.items()}

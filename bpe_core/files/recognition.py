"""What a file is, by the structure of its content: a part of a tokenizer, or something else that is named.

`ROWS` has a row for each kind of file, with what to do about it. The first row that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from bpe_core.files import signs
from bpe_core.files.beside import CONFIG, OTHER_TEMPLATE, SPECIAL_TOKENS
from bpe_core.files.format import FormatError
from bpe_core.files.gguf_header import is_gguf
from bpe_core.files.minbpe import FIRST_LINE
from bpe_core.files.sentencepiece_model import is_sentencepiece
from bpe_core.files.signs import File, begins, has, lines_are, magic
from bpe_core.files.tekken import is_tekken


class Sort(NamedTuple):
    """A sort of files: a row of `ROWS`.

    - `what`: what the file is, as the beginning of a sentence. `remedy`: what to do if it is all that there is.
    - `fits(file)`: returns whether a file is of this kind.
    - `part`: the name by which a `Format` asks for the file; "" if it is no part of a tokenizer.
    - `instead`: whether the file is in the place of another one, so that removing it does not help.
    """

    what: str
    remedy: str
    fits: Callable[[File], object]
    part: str = ""
    instead: bool = False

    @property
    def sentence(self) -> str:
        """What the file is, and what to do."""
        return f"{self.what}: {self.remedy}" if self.remedy else self.what


_ANEW = "download the file itself"
_ALLOWED = "download the file itself, and log in where it may be read only then"
_WHOLE = "open the tokenizer.json of the same model"
_VOCABULARY = "add tokenizer.json, or vocab.json and merges.txt, or tokenizer.model"
_WEIGHTS = re.compile(rb"\x08[\x01-\x1f][\x12\x1a\x22\x3a]|....TFL3", re.DOTALL)  # ONNX and TensorFlow, and its Lite
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!")
_COMMENTS = r"(?><!--(?s:.*?)-->\s*)*+"  # without a way back, which would take for ever
_NONE = "no tokenizer can be made of it"
_AS_JSON = "save the tokenizer as tokenizer.json with the program that wrote the file"
_SPACY = "this is a file of spaCy, which splits text by rules and has no merges"
_SERVER = "this is the answer of a server that did not give the file"
_VECTORS = "these are vectors of words (word2vec, fastText or GloVe), and not a tokenizer"
_CODES = f"they have no ids, so they do not open; {_WHOLE}, if it has one"

ROWS: tuple[Sort, ...] = (
    # parts of a tokenizer that are no text
    Sort("this is a GGUF", "", lambda file: is_gguf(file.content), "gguf"),
    Sort("this is a SentencePiece model", "", lambda file: is_sentencepiece(file.content), "sentencepiece"),
    # what is in the place of another file
    Sort("this file is empty", f"{_ANEW}, or write it again", lambda file: not file.content.strip(), instead=True),
    Sort("this is a pointer of Git LFS, and not the file itself",
        "run `git lfs pull` in its folder, or download the file from the model's page",
        begins(r"version https?://\S*git-(?:lfs|media)\S*"), instead=True),
    Sort("this is a web page, and not the file itself", f"{_ANEW}, such as with “download” on that page",
        begins(rf"(?:<\?xml[^>]*>\s*)?{_COMMENTS}<(?:!doctype html|html|head|body|script)\b"), instead=True),
    Sort("this is the answer of a server that named another address", "follow it: curl needs -L",
        begins(r"(?:found|moved \w+|see other|\w+ redirect)\. redirecting to\b"), instead=True),
    Sort(_SERVER, _ALLOWED, begins(r"(?:<\?xml[^>]*>\s*)?<(?:\w+:)?error\b"), instead=True),
    Sort("this is XML, and not a tokenizer", _NONE, begins(r"<\?xml\b")),
    Sort("this is text in UTF-16", "save the file in UTF-8", magic(b"\xff\xfe", b"\xfe\xff"), instead=True),
    # parts of a tokenizer that are JSON
    Sort("this is a tokenizer.json", "", signs.is_tokenizer_json, "tokenizer"),
    Sort("this is a tekken.json", "", lambda file: is_tekken(file.object), "tekken"),
    Sort("these are ranks of js-tiktoken, in JSON", "open the .tiktoken file of the same name, or name it: cl100k_base",
        has(pat_str=str, bpe_ranks=(str, dict))),
    Sort("this says how the ranks of a .tiktoken file split text", "add the .tiktoken file", signs.is_split, "split"),
    # JSON of others
    Sort("the file is JSON, and not a tokenizer that opens here: it is Keras's table of words, without merges", _NONE,
        lambda file: has(class_name=str, config=dict)(file) or begins(r'"\{\\"class_name\\"')(file)),
    Sort("this is the part “model” of a tokenizer.json without its other parts", "open the whole tokenizer.json",
        signs.is_model_part),
    Sort("this is a training that Run.save wrote, and not a tokenizer", "open it with Run.load",
        lambda file: "mergescope run" in file.object and not signs.is_vocabulary(file)),
    Sort("this is a tokenizer_config.json without its vocabulary", _VOCABULARY, signs.is_config, CONFIG),
    Sort("this is a chat template without a vocabulary", _VOCABULARY, has(chat_template=(str, list)), OTHER_TEMPLATE),
    Sort("this is a special_tokens_map.json without its vocabulary", _VOCABULARY, signs.is_special_map, SPECIAL_TOKENS),
    Sort("this is the config of a model, and not its tokenizer", _WHOLE, signs.is_model_config),
    Sort("this is the list of a model's weights, and not its tokenizer", _WHOLE, has(weight_map=dict)),
    Sort(_SPACY, _NONE, has(lang=str, pipeline=list)),
    Sort(_SERVER, _ALLOWED, signs.is_answer, instead=True),
    Sort("this gives a token to each id, and a vocabulary gives an id to each token", _WHOLE, signs.is_ids_to_tokens),
    Sort("this is a vocabulary whose ids are texts, such as \"5\"", "write its ids as numbers, such as 5",
        signs.is_ids_as_texts, instead=True),
    Sort("this is JSON with nothing in it", _WHOLE, lambda file: file.value == {}, "vocabulary"),
    Sort("these are added tokens without their vocabulary", _VOCABULARY, signs.is_added, "vocabulary"),
    Sort("these are numbers by name, such as the config of a model, and not its tokenizer", _WHOLE,
        signs.is_named_numbers, "vocabulary"),
    Sort("these are ranks in JSON", "write them as lines of a .tiktoken file, each with a token and its rank",
        signs.has_base64, "vocabulary"),
    Sort("this is a vocabulary of letters, such as a model of speech has, without merges", _NONE,
        signs.has_letters_only, "vocabulary"),
    Sort("this is a vocabulary of WordPiece without the rest of its tokenizer", _WHOLE, signs.has_continuations,
        "vocabulary"),
    Sort("this is a vocabulary of SentencePiece's pieces, without merges or scores", f"open the .model, or {_WHOLE}",
        signs.has_pieces, "vocabulary"),
    Sort("this is a vocabulary of whole words, which has no merges", _NONE, signs.has_whole_words, "vocabulary"),
    Sort("this is a vocabulary without its merges", f"add merges.txt, or {_WHOLE}", signs.is_vocabulary, "vocabulary"),
    Sort("this is a list of texts, which has neither ids nor merges", _WHOLE, signs.is_list_of_texts),
    Sort("the file is JSON, and not a tokenizer: it has no model", "", lambda file: file.value is not None),
    # text
    Sort("this is a minbpe model", "", signs.is_minbpe, "minbpe"),
    Sort("this is the .vocab that minbpe writes for people to read", "open the .model beside it",
        lines_are(r"\[.*\] \d+")),
    Sort(_SPACY, _NONE, lambda file: file.text.lstrip().startswith("[") and "[nlp]" in file.text),
    Sort("these are CLIP's merges, of which its program makes a vocabulary", "open the tokenizer.json of a CLIP model",
        begins(r'"?[^\s"#]+#version')),
    Sort("this is a document, such as a model card, and not a tokenizer", _WHOLE,
        begins(r"---[ \t]*\r?\n(?:.*\n)*?---[ \t]*\r?\n|#{1,3} \S[^\n]*\n\s*\n")),
    Sort("this is a model of youtokentome, which numbers characters", f"it does not open here; {_AS_JSON}",
        signs.is_youtokentome),
    Sort(_VECTORS, _NONE, lambda file: signs.is_vectors(file) or signs.is_binary_vectors(file)),
    Sort("this is a vocabulary of RWKV, which takes the longest token and has no merges", _NONE,
        lines_are(r"\d+ b?['\"].*['\"] \d+")),
    Sort("these are ranks", "", signs.is_ranks, "ranks"),
    Sort("these are ranks whose tokens lack the = at the end of their base64", f"write it, or {_ANEW}",
        signs.is_unpadded_ranks, instead=True),
    Sort("this is the .vocab that SentencePiece writes beside its model", "open the .model",
        lines_are(r"[^\t]*\t(?:0|-\d+)(?:\.\d*)?(?:e-?\d+)?")),
    Sort("these are words with their counts, and not a tokenizer", _NONE, signs.is_word_counts),
    Sort("these are codes of fastBPE, with counts", _CODES, signs.is_counted_codes, instead=True),
    Sort("these are codes of byte-pair encoding, as subword-nmt writes them", _CODES, signs.is_codes, "merges"),
    Sort("these are merges without their vocabulary", f"add vocab.json, or {_WHOLE}", signs.is_merges, "merges"),
    Sort("this is a vocabulary of WordPiece, one token a line", _WHOLE, signs.is_wordpiece),
    Sort(_SERVER, _ALLOWED, signs.is_failure, instead=True),
    Sort("this is a list of words, one a line, which has neither ids nor merges", _WHOLE, signs.is_list_of_words),
    # what is no text
    Sort(_VECTORS, _NONE, lambda file: signs.is_pickle(file) and b"gensim" in file.head),
    Sort("this is a pickle, which could run any program and so is never opened", _AS_JSON, signs.is_pickle),
    Sort("these are a model's weights (safetensors), and not its tokenizer", _WHOLE, magic(b'{"', b"{ ", at=8)),
    Sort("these are a model's weights (PyTorch), and not its tokenizer", _WHOLE,
        lambda file: magic(b"PK\x03\x04")(file) and b"data.pkl" in file.head),
    Sort("this is a packed file", "unpack it, and open what is in it",
        lambda file: magic(*_PACKED)(file) or magic(b"ustar", at=257)(file)),
    Sort("this is a model of Keras or other data in HDF5, and not a tokenizer", _WHOLE, magic(b"\x89HDF\r\n\x1a\n")),
    Sort(_VECTORS, _NONE, magic(b"\xba\x16\x4f\x2f")),
    Sort("this is a model of llama.cpp from before GGUF", "convert it to a GGUF with llama.cpp",
        magic(b"lmgg", b"fmgg", b"tjgg", b"algg", b"ggml")),
    Sort("these are a model's weights (ONNX or TensorFlow), and not its tokenizer", _WHOLE,
        lambda file: bool(_WEIGHTS.match(file.head))),
    Sort(_SPACY, _NONE, lambda file: b"prefix_search" in file.head[:64]),
    Sort("this is an array of NumPy, and not a tokenizer", _WHOLE, magic(b"\x93NUMPY")),
)  # fmt: skip
"""The kinds of files, in the order in which they are asked."""
UNKNOWN = Sort("this file is not a tokenizer", "", lambda _: True)


class Recognised(NamedTuple):
    """A file and its kind."""

    kind: Sort
    file: File


def recognised(content: bytes) -> Recognised:
    """Return a file with its kind; `FormatError` if it is JSON that is damaged.

    >>> recognised(b"IQ== 0\\nIg== 1\\n").kind.part, recognised(b'{"model": 0, "h": 1}').kind.part
    ('ranks', 'vocabulary')
    >>> recognised(b"version https://git-lfs.github.com/spec/v1").kind.what
    'this is a pointer of Git LFS, and not the file itself'
    """
    file = File(content)
    return Recognised(next((row for row in ROWS if row.fits(file)), UNKNOWN), file)


def part_of(content: bytes) -> str:
    """Return the part of a tokenizer that a file is by its content; "" for none, and for damaged JSON.

    >>> part_of(b"#version: 0.2\\nh u\\n"), part_of(b"{")
    ('merges', '')
    """
    try:
        return recognised(content).kind.part
    except FormatError:
        return ""


_WHOLE_FILES = {  # of the parts that are a tokenizer alone and are text: what a text is
    "tokenizer": "a tokenizer.json", "tekken": "a tekken.json", "minbpe": "a minbpe model", "ranks": "a .tiktoken file",
}  # fmt: skip
_LEAST_RANKS = 20  # lines; fewer may be words with numbers
_LONGEST = 1_000_000  # characters of a text that is read whole; of a longer one, its beginning says enough
_BEGINS_TOKENIZER = re.compile(r'\s*\{\s*"version"\s*:\s*"[\d.]+"\s*,\s*"truncation"\s*:')
_MAY_BE = re.compile(rf'\s*(?:\{{(?=(?s:.*)"(?:model|vocab)")|{re.escape(FIRST_LINE)}|[A-Za-z0-9+/]+=* 0\r?\n)')


def tokenizer_in(text: str) -> str:
    """Return which file of a tokenizer a text surely is, as the end of a sentence; "" for any other text.

    >>> tokenizer_in('{"model": {"type": "BPE", "vocab": {}, "merges": []}}'), tokenizer_in("Anna 12")
    ('a tokenizer.json', '')
    """
    if _BEGINS_TOKENIZER.match(text):
        return _WHOLE_FILES["tokenizer"]
    if len(text) > _LONGEST or not _MAY_BE.match(text):
        return ""
    try:
        found = recognised(text.encode("utf-8", "surrogatepass"))
    except FormatError:
        return ""
    ranks = [row[-1] for row in found.file.fields]
    if found.kind.part == "ranks" and (len(ranks) < _LEAST_RANKS or ranks != [*map(str, range(len(ranks)))]):
        return ""
    return _WHOLE_FILES.get(found.kind.part, "")

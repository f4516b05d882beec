"""Tokenizers of other people's shapes, trained here with their own library: what a `tokenizer.json` may be."""

import json
from functools import cache

from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers import Tokenizer as Theirs

from bpe_core import Tokenizer
from tests.texts import EXAMPLE_TEXTS

CORPUS = "".join(text[:3000] for text in EXAMPLE_TEXTS.values())
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"


def byte_level(pre_tokenizer, **model):
    theirs = Theirs(models.BPE(**model))
    theirs.pre_tokenizer = pre_tokenizer
    theirs.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    theirs.train_from_iterator(
        [CORPUS], trainers.BpeTrainer(vocab_size=900, initial_alphabet=alphabet, show_progress=False)
    )
    theirs.add_special_tokens(["<|endoftext|>", "<|im_end|>"])
    return theirs


def sentence_piece(scheme=None, normalizer=None, split=True):
    """Llama's way: characters, a letter for the space, and bytes for what is unknown."""
    theirs = Theirs(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    if normalizer is not None:  # the length of a sequence is 0 in tokenizers 0.21
        theirs.normalizer = normalizer
    else:
        theirs.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split)
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=900, special_tokens=special, limit_alphabet=60, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    parts = json.loads(theirs.to_str())
    parts["added_tokens"] = parts["added_tokens"][:3]
    return Theirs.from_str(json.dumps(parts))


def chain(*parts):
    return pre_tokenizers.Sequence([*parts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def falcon():
    """What comes after ByteLevel cuts the letters that stand for bytes, some of which are digits."""
    behind = pre_tokenizers.Digits(False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")
    before = pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False)
    return pre_tokenizers.Sequence([*before, *behind])


def normalizing(normalizer):
    theirs = byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False))
    theirs.normalizer = normalizer
    return theirs


def gpt_neox():
    """Added tokens of white space that are looked for in the normalized text, which has the same white space."""
    theirs = normalizing(normalizers.NFC())
    theirs.add_tokens([AddedToken(" " * size, normalized=True) for size in range(5, 1, -1)])
    theirs.add_tokens([AddedToken("\n\t", normalized=True)])
    return theirs


def trained(model, trainer, **parts):
    theirs = Theirs(model)
    for name, part in parts.items():
        setattr(theirs, name, part)
    theirs.train_from_iterator([CORPUS], trainer)
    return theirs


def wordpiece():
    return trained(
        models.WordPiece(unk_token="[UNK]"),
        trainers.WordPieceTrainer(vocab_size=600, special_tokens=["[UNK]", "[CLS]"], show_progress=False),
        normalizer=normalizers.BertNormalizer(),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        decoder=decoders.WordPiece(),
    )


def unigram():
    return trained(
        models.Unigram(),
        trainers.UnigramTrainer(vocab_size=500, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False),
        normalizer=normalizers.NFKC(),
        pre_tokenizer=pre_tokenizers.Metaspace(),
        decoder=decoders.Metaspace(),
    )


def word_level():
    return trained(
        models.WordLevel(unk_token="[UNK]"),
        trainers.WordLevelTrainer(vocab_size=200, special_tokens=["[UNK]"], show_progress=False),
        pre_tokenizer=pre_tokenizers.Whitespace(),
    )


def clip():
    return trained(
        models.BPE(end_of_word_suffix="</w>", unk_token="<|endoftext|>"),
        trainers.BpeTrainer(
            vocab_size=900,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            end_of_word_suffix="</w>",
            special_tokens=["<|endoftext|>"],
            show_progress=False,
        ),
        normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]),
        pre_tokenizer=chain(
            pre_tokenizers.Split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"), "removed", True)
        ),
    )


LLAMA2_PARTS = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
LLAMA2 = normalizers.Sequence(LLAMA2_PARTS)
SHAPES = {
    "gpt2": lambda: byte_level(pre_tokenizers.ByteLevel(add_prefix_space=False)),
    "roberta": lambda: byte_level(pre_tokenizers.ByteLevel(add_prefix_space=True)),
    "llama3": lambda: byte_level(chain(pre_tokenizers.Split(Regex(LLAMA3), "isolated")), ignore_merges=True),
    "starcoder": lambda: byte_level(
        pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    ),
    "deepseek": lambda: byte_level(
        chain(
            pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
            pre_tokenizers.Split(Regex("[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
            pre_tokenizers.Split(
                Regex(r"[!-/:-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|\s+(?!\S)|\s+"), "isolated"
            ),
        )
    ),
    "bloom": lambda: byte_level(chain(pre_tokenizers.Split(Regex(BLOOM), "isolated"))),
    "falcon": lambda: byte_level(falcon()),
    "whitespace and signs": lambda: byte_level(chain(pre_tokenizers.Whitespace())),
    "digits together": lambda: byte_level(chain(pre_tokenizers.Digits(False))),
    **{
        f"split {behavior} {inverted}": lambda b=behavior, i=inverted: byte_level(
            chain(pre_tokenizers.Split(Regex("[aeiou ]"), b, i))
        )
        for behavior in ("isolated", "removed", "contiguous", "merged_with_previous", "merged_with_next")
        for inverted in (False, True)
    },
    "punctuation contiguous": lambda: byte_level(chain(pre_tokenizers.Punctuation("contiguous"))),
    **{f"metaspace {scheme}": lambda s=scheme: sentence_piece(s) for scheme in ("always", "first", "never")},
    "metaspace unsplit": lambda: sentence_piece("first", split=False),
    **{
        name: lambda made=made: normalizing(made)
        for name, made in {
            "nfc": normalizers.NFC(),
            "bert": normalizers.BertNormalizer(strip_accents=True),
            "a chain": normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]),
        }.items()
    },
    "albert": lambda: sentence_piece(
        normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), *LLAMA2_PARTS])
    ),
    "llama2": lambda: sentence_piece(normalizer=LLAMA2),
    "gemma": lambda: sentence_piece(normalizer=normalizers.Replace(" ", "▁")),
    "gpt-neox": gpt_neox,
    "wordpiece": wordpiece,
    "unigram": unigram,
    "word level": word_level,
    "gpt2 with end of word": clip,
    "folded": lambda: byte_level(chain(pre_tokenizers.Split(Regex(r"(?i:'[sdmt]|[^a-h]z)|i\p{^Lu}|\s"), "isolated"))),
}


# --- added tokens that take white space, or count only as words of their own ---

BART = [AddedToken(name, normalized=True) for name in ("<s>", "<pad>", "</s>", "<unk>")]
MASK = AddedToken("<mask>", lstrip=True, normalized=False)
PHI3 = [AddedToken(name, normalized=False) for name in ("<unk>", "<s>")]
PHI3 += [AddedToken(name, normalized=False, rstrip=True) for name in ("</s>", "<|user|>", "<|end|>")]
FLAGGED = [
    AddedToken("<both>", lstrip=True, rstrip=True, normalized=False),
    AddedToken("word", single_word=True, lstrip=True, normalized=False),
    AddedToken("<|>", normalized=False),
    AddedToken("a<|>", normalized=False, rstrip=True),
]
LATE = [AddedToken("<mask>", lstrip=True, rstrip=True, normalized=True), AddedToken("a b", normalized=True)]
LATE += [AddedToken("word", single_word=True, normalized=True)]
SPACED = [AddedToken("  ", normalized=False), MASK, AddedToken("\t<tab>", lstrip=True, normalized=False)]


def with_added(added, prefix=False, normalizer=None):
    """As RoBERTa's and BART's files are written."""
    theirs = Theirs(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    if normalizer:
        theirs.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    theirs.add_special_tokens(added)
    return theirs


def llama(added):
    """As Phi-3's file is written."""
    theirs = Theirs(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    theirs.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    special = [*(str(token.content) for token in added), *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=700, special_tokens=special, limit_alphabet=60, show_progress=False)
    theirs.train_from_iterator(EXAMPLE_TEXTS["short-story"].splitlines(), trainer)
    parts = json.loads(theirs.to_str())
    parts["added_tokens"] = []
    theirs = Theirs.from_str(json.dumps(parts))
    theirs.add_special_tokens(added)
    return theirs


SHAPES |= {
    "bart": lambda: with_added([*BART, MASK]),
    "roberta with a mask": lambda: with_added([*BART, MASK], prefix=True),
    "phi3": lambda: llama(PHI3),
    "every flag": lambda: with_added(FLAGGED),
    "every flag, with a space before": lambda: with_added(FLAGGED, prefix=True),
    "in normalized text": lambda: with_added(LATE),
    "names of white space": lambda: with_added(SPACED),
    "normalized between": lambda: with_added(FLAGGED, normalizer=normalizers.Lowercase()),
}


@cache
def file_of(shape: str) -> bytes:
    """The shape's `tokenizer.json`, trained once."""
    return SHAPES[shape]().to_str().encode()


def leads_back(tok: Tokenizer) -> None:
    """Assert that every id has a token of its own, and that the token has the id."""
    vocab = tok.get_vocab()
    assert len(vocab) == len(tok)
    for token, i in vocab.items():
        assert (tok.id_to_token(i), tok.token_to_id(token)) == (token, i)

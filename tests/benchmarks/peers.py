"""Other people's libraries, set to the same task, in one thread. A peer that is not installed raises `ImportError`.

YouTokenToMe has to be compiled: `pip install cython setuptools wheel click`, then `pip install --no-build-isolation
youtokentome`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_core import PRETOKENIZERS, Run, Tokenizer
from bpe_core.text.alphabet import GPT2_BYTE_ORDER

if TYPE_CHECKING:
    from tiktoken import Encoding

PATTERN = PRETOKENIZERS["gpt2"].pattern


def _hugging_face(split: Callable[[str], list[str]]) -> Callable[[str, int], object]:
    def train(text: str, size: int) -> object:
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers

        tok = Tokenizer(models.BPE())
        tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, min_frequency=0, show_progress=False)
        tok.train_from_iterator(split(text), trainer)
        return tok

    return train


def _rustbpe(text: str, size: int) -> object:
    import rustbpe

    tok = rustbpe.Tokenizer()
    tok.train_from_iterator(iter([text]), size, pattern=PATTERN)
    return tok


def _sentencepiece(text: str, size: int) -> object:
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8")
        return sentencepiece.SentencePieceTrainer.train(
            input=str(path), model_prefix=f"{folder}/model", vocab_size=size, model_type="bpe", num_threads=1,
            minloglevel=2, max_sentence_length=10**7, hard_vocab_limit=False,
        )  # fmt: skip


def _gigabpe(text: str, size: int) -> object:
    import gigabpe

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8")
        return gigabpe.train_bpe([str(path)], size, pretokenizer="bytelevel", threads=1)


def _gigatoken(text: str, size: int) -> object:
    import gigatoken

    with _silence():
        return gigatoken.train_bpe(text.encode(), size, special_tokens=[])


def _youtokentome(text: str, size: int) -> object:
    import youtokentome

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        path.write_text(text, encoding="utf-8")
        with _silence():
            return youtokentome.BPE.train(data=str(path), model=f"{folder}/model", vocab_size=size, n_threads=1)


@contextmanager
def _silence() -> Iterator[None]:
    """Nothing is written to the standard output and error, not even by a library's own code."""
    kept, nowhere = [os.dup(1), os.dup(2)], os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    try:
        yield
    finally:
        for stream, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


# Those that split at white space and work on characters, which is easier.
EASIER = ("sentencepiece", "YouTokenToMe")
TRAINERS: dict[str, Callable[[str, int], object]] = {
    "rustbpe": _rustbpe,
    "gigabpe": _gigabpe,
    "gigatoken": _gigatoken,
    "sentencepiece": _sentencepiece,
    "YouTokenToMe": _youtokentome,
    "Hugging Face, whole text": _hugging_face(lambda text: [text]),
    "Hugging Face, by line": _hugging_face(lambda text: text.splitlines(keepends=True)),
}


def tiktoken_encoder(run: Run) -> Callable[[str], list[int]]:
    """tiktoken with the merges of `run`."""
    import tiktoken

    ranks = {bytes([byte]): rank for rank, byte in enumerate(GPT2_BYTE_ORDER)}
    ranks |= {merge.token: 256 + k for k, merge in enumerate(run.merges)}
    encoding = tiktoken.Encoding("ours", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})
    return lambda text: encoding.encode(text, disallowed_special=())


def tiktoken_of(tok: Tokenizer) -> Encoding:
    """tiktoken with the split and the ranks of a published vocabulary, without its special tokens."""
    import tiktoken

    made = {new: rank for rank, (_, _, new) in enumerate(tok.merges, 256)}
    base = [i for i, token in enumerate(tok.tokens) if token and i not in made][:256]
    ranks = {tok.tokens[i]: rank for i, rank in {**{i: rank for rank, i in enumerate(base)}, **made}.items()}
    return tiktoken.Encoding("ours", pat_str=tok.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens={})


def hugging_face_encoder(run: Run) -> Callable[[str], list[int]]:
    """Hugging Face tokenizers with the merges of `run`, line by line: its fastest way."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    letter = {byte: chr(byte) if rank < 188 else chr(68 + rank) for rank, byte in enumerate(GPT2_BYTE_ORDER)}
    letters = ["".join(letter[byte] for byte in token) for token in run.tokens]
    merges = [
        (letters[a], letters[b]) for a, b in zip(run.lifetimes.left.tolist(), run.lifetimes.right.tolist(), strict=True)
    ]
    tok = Tokenizer(models.BPE({token: i for i, token in enumerate(letters)}, merges))
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return lambda text: [i for line in tok.encode_batch(text.splitlines(keepends=True)) for i in line.ids]


def gigatoken_encoder(run: Run) -> Callable[[str], object]:
    """gigatoken with the merges of `run`, from a `tokenizer.json`."""
    import gigatoken

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        run.tokenizer().save(path)
        tok = gigatoken.Tokenizer(str(path))
    return lambda text: tok.encode(text).tolist()


ENCODERS: dict[str, Callable[[Run], Callable[[str], object]]] = {
    "tiktoken": tiktoken_encoder,
    "gigatoken": gigatoken_encoder,
    "Hugging Face, by line": hugging_face_encoder,
}

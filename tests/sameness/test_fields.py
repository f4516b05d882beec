"""Each field of a file is changed in turn: where its library then gives other ids, no two files are called equal."""

import faulthandler
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from hashlib import sha256
from random import Random
from typing import Any

import pytest
import sentencepiece
import tokenizers
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from bpe_core import FormatError, loads, same
from bpe_core.sameness.composition import Composition
from bpe_core.sameness.parts import PartState, compared
from bpe_core.sameness.search import Proofs
from tests.gguf_files import sentencepiece_model
from tests.shapes import file_of
from tests.some import a_few, some
from tests.texts import EXAMPLE_TEXTS, NASTY

TABLES = ("vocab", "merges", "precompiled_charsmap")
TEXTS = [text.encode("utf-8", "ignore").decode() for text in (*NASTY, *(text[:300] for text in EXAMPLE_TEXTS.values()))]
TEXTS += ["a <mask> b", " <|end|>a", "<s>x</s>", "  the  the", "It's 2,024 €", "x" * 120, "don't THE\n\nthe ", "▁a"]
# Fields that are about files, training or decoding, or only about what stands around a text.
WITHOUT_EFFECT = ("version", "truncation", "padding", "decoder", "dropout", "trim_offsets", "type_id")
SHAPES = ["gpt2", "roberta", "llama3", "wordpiece", "unigram", "llama2", "metaspace first", "gpt2 with end of word",
          "word level", "bert", "every flag", "a chain"]  # fmt: skip


def leaves(value: object, path: tuple = ()) -> Iterator[tuple]:
    """The places of all values of JSON but those in large tables."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in WITHOUT_EFFECT and key not in TABLES:
                yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value and not isinstance(value[0], str | int):
        for at, inner in enumerate(value[:4]):
            yield from leaves(inner, (*path, at))
        yield path
    else:
        yield path


def others(value: object) -> list[object]:
    """Other values of a field."""
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1, 0, None]
        case str():
            return [f"{value}a", "", "a", None]
        case None:
            return [0, 1, True, "a", "##"]
        case list():
            return [value[:-1], value[::-1], value + value[:1]]
    return []


def changed_files(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """The file with one field changed, and with a few changes of its tables."""
    whole = json.loads(raw)
    for path in leaves(whole):
        place = whole
        for key in path:
            place = place[key]
        for value in others(place):
            parts = deepcopy(whole)
            inner = parts
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            yield f"{'.'.join(map(str, path))} = {value!r}"[:100], json.dumps(parts).encode()
    chance = Random(1)
    for change in (swap_ids, next_score, drop_last, swap_merges, merge_again):
        for _ in range(3):
            parts = deepcopy(whole)
            if change(parts["model"], chance):
                yield change.__name__, json.dumps(parts).encode()


def swap_ids(model: dict, chance: Random) -> bool:
    if not isinstance(model["vocab"], dict):
        first, second = chance.sample(range(3, len(model["vocab"])), 2)
        model["vocab"][first], model["vocab"][second] = model["vocab"][second], model["vocab"][first]
        return True
    one, other = chance.sample(sorted(model["vocab"]), 2)
    model["vocab"][one], model["vocab"][other] = model["vocab"][other], model["vocab"][one]
    return True


def next_score(model: dict, chance: Random) -> bool:
    if isinstance(model["vocab"], dict):
        return False
    model["vocab"][chance.randrange(3, len(model["vocab"]))][1] -= 3
    return True


def drop_last(model: dict, chance: Random) -> bool:
    if model.get("merges"):
        model["merges"].pop()
    elif isinstance(model["vocab"], dict):
        model["vocab"].popitem()
    else:
        model["vocab"].pop()
    return True


def swap_merges(model: dict, chance: Random) -> bool:
    merges = model.get("merges")
    if merges:
        one, other = chance.sample(range(len(merges)), 2)
        merges[one], merges[other] = merges[other], merges[one]
    return bool(merges)


def merge_again(model: dict, chance: Random) -> bool:
    """`tokenizers` takes the last rank of a pair."""
    merges = model.get("merges")
    if merges:
        merges.append(merges[chance.randrange(min(len(merges), 20))])
    return bool(merges)


def sums_of(files: Sequence[bytes]) -> Iterator[str]:
    """A sum of the ids that the library gives to the texts with each file; "" if it cannot. It may end its process, so
    it has its own, and a new one for the files after that."""
    done = 0
    while done < len(files):
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            with suppress(BaseException), os.fdopen(theirs, "w") as answers:
                faulthandler.disable()
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # panics print
                for raw in files[done:]:
                    found = ids_in_this_process(raw)
                    print(sha256(repr(found).encode()).hexdigest() if found else "", file=answers, flush=True)
            os._exit(0)
        os.close(theirs)
        with os.fdopen(ours) as answers:
            for line in answers:
                yield line.strip()
                done += 1
        os.waitpid(child, 0)
        if done < len(files):
            yield ""
            done += 1


def ids_in_this_process(raw: bytes) -> list[tuple] | None:
    """The ids of the texts with names as tokens, with names as text, and with what is around a text."""
    try:
        theirs = tokenizers.Tokenizer.from_buffer(raw)
    except BaseException:  # a panic of its Rust code is no Exception
        return None
    found: list[tuple] = []
    for text in TEXTS:
        for as_text, around in ((False, False), (True, False), (False, True)):
            theirs.encode_special_tokens = as_text
            try:
                found.append(tuple(theirs.encode(text, add_special_tokens=around).ids))
            except BaseException:
                found.append(("refused",))
    return found


def equal_here(one: Composition, files: dict[str, bytes]) -> bool | None:
    try:
        other = Composition(loads(files))
        return all(part.state is PartState.EQUAL for part in compared(one, other))
    except FormatError:
        return None


@pytest.mark.parametrize("shape", some(SHAPES))
def test_a_field_of_a_tokenizer_json_that_changes_ids_is_in_a_part(shape):
    raw = file_of(shape)
    one, rows = Composition(loads({"tokenizer.json": raw})), [*changed_files(raw)]
    changed = [*a_few(rows[:-9]), *rows[-9:]]  # the last ones are changes of tables
    before, *sums = sums_of([raw, *(each for _, each in changed)])
    differ = 0
    for (name, each), after in zip(changed, sums, strict=True):
        if after in ("", before):
            continue
        equal = equal_here(one, {"tokenizer.json": each})
        differ += equal is not None
        assert not equal, name
    assert differ > 1


def messages(proto: ModelProto) -> Iterator[tuple[str, ModelProto]]:
    """The model with one field changed, in its specs or in some of its pieces."""
    for spec in ("trainer_spec", "normalizer_spec"):
        for field in getattr(proto, spec).DESCRIPTOR.fields:
            value = getattr(getattr(proto, spec), field.name)
            if not isinstance(value, bool | int | float | str | bytes):
                continue
            for new in {bool: [not value], str: [f"{value}a", "▁a"], bytes: [b""]}.get(type(value), [value + 1]
                       if isinstance(value, int | float) else []):  # fmt: skip
                changed = ModelProto.FromString(proto.SerializeToString())
                try:
                    setattr(getattr(changed, spec), field.name, new)
                except (TypeError, ValueError):
                    continue
                yield f"{spec}.{field.name} = {new!r}", changed
    ordinary = [i for i, piece in enumerate(proto.pieces) if piece.type == 1]
    for i in ordinary[5:300:40]:
        for field, new in (("type", 5), ("type", 4), ("score", proto.pieces[i].score - 5.0), ("score", -1e-3)):
            changed = ModelProto.FromString(proto.SerializeToString())
            setattr(changed.pieces[i], field, new)
            yield f"pieces[{i}].{field} = {new}", changed
    changed = ModelProto.FromString(proto.SerializeToString())
    one, other = changed.pieces[ordinary[10]], changed.pieces[ordinary[11]]
    one.piece, other.piece = other.piece, one.piece
    yield "two pieces exchanged", changed


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_field_of_a_sentencepiece_model_that_changes_ids_is_in_a_part(kind):
    raw = sentencepiece_model(kind, "nmt_nfkc")
    one = Composition(loads({"tokenizer.model": raw}))

    def ids(content: bytes) -> list[list[int]] | None:
        try:
            return sentencepiece.SentencePieceProcessor(model_proto=content).encode(TEXTS)
        except (RuntimeError, OSError):
            return None

    before, differ, rows = ids(raw), set(), [*messages(ModelProto.FromString(raw))]
    asked = [row for row in rows if "treat_whitespace_as_suffix" in row[0] or row[0].endswith("type = 5")]
    tried = dict((*asked, *a_few(rows)))
    for name, changed in tried.items():
        content = changed.SerializeToString()
        after = ids(content)
        if after is None or after == before:
            continue
        equal = equal_here(one, {"tokenizer.model": content})
        differ |= {name} if equal is not None else set()
        assert not equal, name
    assert {name.partition("[")[0].partition(" =")[0] for name in differ} >= {"trainer_spec.treat_whitespace_as_suffix"}
    assert any(name.endswith("type = 5") for name in differ)  # unused


def with_name(name: str) -> dict[str, Any]:
    """The parts of a file with one added token."""
    parts = json.loads(file_of("gpt2"))
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    parts["added_tokens"] = [{"id": len(parts["model"]["vocab"]), "content": name, "special": True, **flags}]
    return parts


def test_a_name_that_differs_shows_itself_where_nearly_all_texts_differ():
    one, other = with_name("<x>"), with_name("<y>")
    first, *rest = other["model"]["vocab"].values()
    other["model"]["vocab"] = dict(zip(other["model"]["vocab"], (*rest, first), strict=True))
    found = same(*(loads({"tokenizer.json": json.dumps(each).encode()}) for each in (one, other)), seconds=20)
    assert {part.name: part.text for part in found.parts}["special and added tokens"] in ("<x>", "<y>")


@pytest.mark.thorough
def test_the_names_of_gpt_2_and_gpt_4o_show_themselves():
    shown = {part.name: part.text for part in same("gpt2", "gpt-4o", seconds=20).parts}
    assert shown["special and added tokens"] in ("<|endoftext|>", "<|endofprompt|>")


def test_what_shows_a_part_is_because_of_that_part():
    """Two files differ on the texts with a or b, and on those with a space and <x>."""
    raw = with_name("<x>")
    changed = deepcopy(raw)
    changed["added_tokens"][0]["lstrip"] = True
    vocabulary = changed["model"]["vocab"]
    vocabulary["a"], vocabulary["b"] = vocabulary["b"], vocabulary["a"]
    sides = [json.dumps(each).encode() for each in (raw, changed)]
    one, other = (Composition(loads({"tokenizer.json": each})) for each in sides)
    theirs = [tokenizers.Tokenizer.from_buffer(each) for each in sides]
    proofs = Proofs(one, other)
    for text in ("a", "a<x>", "  <x>", "b <x>"):
        assert len({tuple(each.encode(text, add_special_tokens=False).ids) for each in theirs}) == 2
    assert not proofs.shows("special and added tokens", "a", True)
    assert not proofs.shows("special and added tokens", "a <x>", True)  # "a" differs without the name too
    assert proofs.shows("special and added tokens", " <x>", True)
    assert proofs.shows("vocabulary", "a", True)
    assert not proofs.shows("vocabulary", " <x>", True)
    assert not proofs.shows("merges", "a", True)
    assert not proofs.shows("split", "a", True)

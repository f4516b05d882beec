"""What the engine finds in texts, as one hash for each question: to hold one machine's Python to another's."""

import hashlib
import json
from types import SimpleNamespace

from bpe_core import PRETOKENIZERS, TIE_RULES, Settings, load, train
from bpe_core.pictures.resources import OF_ONE, OF_SEVERAL, Parameters, Resource, encoded
from bpe_core.published import PUBLISHED
from bpe_core.settings import ALPHABETS, WORD_MARKERS

VOCABULARIES = tuple(PUBLISHED)
STEPS = (0, 3, 17, 1_000_000)


def facts(texts: list[str], story: str) -> dict[str, str]:
    """Return a hash by question: trainings of a story by each split, tie rule and alphabet; ids; each resource."""
    found: dict[str, object] = {}
    for key in PRETOKENIZERS:
        found[f"training, {key}"] = training(story, Settings(key, vocab_size=400))
    for rule in TIE_RULES:
        found[f"training, {rule}"] = training(story, Settings("whitespace", tie_rule=rule, vocab_size=350))
    for alphabet in ALPHABETS:
        for marker in WORD_MARKERS:
            settings = Settings("whitespace", alphabet=alphabet, word_marker=marker, vocab_size=350)
            found[f"training, {alphabet}, {marker}"] = training(story, settings)
    for name in VOCABULARIES:
        tok = load(name)
        shown = SimpleNamespace(tokenizer=tok, title=name, glyph="", run=None)
        found[f"ids, {name}"] = [tok.ids(text, specials=False) for text in [*texts, story]]
        found[f"decoded, {name}"] = [tok.decode(tok.ids(text, specials=False)) for text in texts]
        parameters = {"specials": True, "at": 0, "step": 1_000_000, "end": -1, "cut": True}
        for resource, function in OF_ONE.items():
            found[f"{resource}, {name}"] = [answer(function, shown, parameters | {"text": text}) for text in texts]
        for resource, function in OF_SEVERAL.items():
            found[f"{resource}, {name}"] = [
                answer(function, [shown] * 2, parameters | {"text": text}) for text in texts
            ]
    return {question: hashed(answer) for question, answer in found.items()}


def training(story: str, settings: Settings) -> object:
    """Return what a training says of itself: its merges, and the words and pairs at some steps."""
    run = train(story, settings)
    merges = [(merge.left.hex(), merge.right.hex(), merge.count, merge.tied) for merge in run.merges]
    steps = [min(step, len(merges)) for step in STEPS]
    at_steps = [(repr(run.words(step)), repr(run.pair_counts(step))) for step in steps]
    return merges, run.stop_reason, at_steps, run.tokenizer().ids(story)


def answer(function: Resource, thing: object, parameters: Parameters) -> object:
    """Return the data of a resource, or why there is none."""
    try:
        return function(thing, parameters, encoded)
    except ValueError as error:
        return str(error)


def hashed(answer: object) -> str:
    """Return a short hash of what JSON can say."""
    return hashlib.sha256(json.dumps(answer, default=int).encode()).hexdigest()[:16]

"""Trimmed vocabularies give the text the same tokens; appended ones have tokens that no text reaches."""

import base64
import json

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers import Tokenizer as HuggingFace

from bpe_core import FORMATS, FormatError, Settings, dumps, load, loads, train
from bpe_core.tokenizer.trimming import append, trim, unreached
from bpe_core.tokenizer.unreachable import MERGED, reach
from tests.texts import CORPUS, EXAMPLE_TEXTS, WRITABLE


@given(WRITABLE, WRITABLE, WRITABLE, st.sampled_from(["gpt2", "none"]))
def test_a_trimmed_vocabulary_gives_the_text_the_same_tokens(first, text, other, split):
    tokenizer = train(first + text, Settings(split, vocab_size=400, special_tokens=("<|>",))).tokenizer()
    small = trim(tokenizer, text)
    assert small.tokenizer.ids(text, specials=True) == [small.ids[i] for i in tokenizer.ids(text, specials=True)]
    assert small.tokenizer.decode(small.tokenizer.ids(other, specials=True)) == tokenizer.decode(
        tokenizer.ids(other, specials=True)
    )
    parts = {half for i in range(len(small.tokenizer.tokens)) for half in (small.tokenizer.origin(i) or ())[:2]}
    unused = set(range(256, len(small.tokenizer.tokens))) - set(small.tokenizer.ids(text, specials=True)) - parts
    assert unused <= set(small.tokenizer.special_tokens.values())


@pytest.mark.parametrize("name", ["gpt2", "tekken", "qwen"])
def test_a_trimmed_published_vocabulary(name):
    tokenizer = load(name)
    small = trim(tokenizer, [CORPUS, "a second text"])
    assert small.tokenizer.ids(CORPUS) == [small.ids[i] for i in tokenizer.ids(CORPUS)]
    assert [small.tokenizer.token_bytes(new) for new in small.ids.values()] == [*map(tokenizer.token_bytes, small.ids)]
    theirs = HuggingFace.from_str(dumps(small.tokenizer)["tokenizer.json"].decode())
    for text in EXAMPLE_TEXTS.values():
        assert theirs.encode(text, add_special_tokens=False).ids == small.tokenizer.ids(text)


def few_bytes():
    """A model of the bytes of one text, which has few of the 256."""
    theirs = HuggingFace(models.BPE())
    theirs.pre_tokenizer, theirs.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    return theirs, {"initial_alphabet": []}


def bytes_of_what_is_lacking():
    theirs = HuggingFace(models.BPE(byte_fallback=True, unk_token="<unk>"))
    theirs.normalizer = normalizers.Replace(" ", "▁")
    theirs.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return theirs, {"special_tokens": ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]}


def ends_of_words():
    theirs = HuggingFace(models.BPE(end_of_word_suffix="</w>", unk_token="<unk>"))
    theirs.pre_tokenizer, theirs.decoder = pre_tokenizers.WhitespaceSplit(), decoders.BPEDecoder("</w>")
    return theirs, {"special_tokens": ["<unk>"], "end_of_word_suffix": "</w>"}


def a_split_of_its_own():
    theirs = HuggingFace(models.BPE())
    parts = [pre_tokenizers.Split(Regex("[aeiou]+"), "isolated"), pre_tokenizers.ByteLevel(use_regex=False)]
    theirs.pre_tokenizer, theirs.decoder = pre_tokenizers.Sequence(parts), decoders.ByteLevel()
    return theirs, {"initial_alphabet": pre_tokenizers.ByteLevel.alphabet()}


@pytest.mark.parametrize("make", [few_bytes, bytes_of_what_is_lacking, ends_of_words, a_split_of_its_own])
@pytest.mark.parametrize("text", ["the old lamps", "The keeper, the é 🦜 <e> zz", ""])
def test_a_file_that_is_not_converted_gets_fewer_tokens_itself(make, text):
    theirs, settings = make()
    theirs.train_from_iterator([CORPUS.lower()], trainers.BpeTrainer(vocab_size=900, show_progress=False, **settings))
    theirs.add_special_tokens(["<e>", "<pad>"])
    end = theirs.token_to_id("<e>")
    theirs.post_processor = processors.TemplateProcessing(single="$A <e>", special_tokens=[("<e>", end)])
    theirs.enable_padding(pad_id=theirs.token_to_id("<pad>"), pad_token="<pad>")
    small = trim(loads({"tokenizer.json": theirs.to_str().encode()}), text)
    written = HuggingFace.from_str(dumps(small.tokenizer)["tokenizer.json"].decode())
    expected = [small.ids[i] for i in theirs.encode(text).ids]
    assert written.encode(text).ids == small.tokenizer.ids(text, specials=True, add_special_tokens=True) == expected
    assert written.decode(expected) == theirs.decode(theirs.encode(text).ids)
    assert [written.id_to_token(new) for new in small.ids.values()] == [*map(theirs.id_to_token, small.ids)]
    assert len(small.tokenizer) == len(small.ids) == written.get_vocab_size() < theirs.get_vocab_size()
    assert written.padding["pad_id"] == written.token_to_id("<pad>")


def test_growing_leaves_no_token_that_no_text_reaches_and_appending_does():
    base, text = load("gpt2"), EXAMPLE_TEXTS["many-languages"]
    grown = train(text, Settings(vocab_size=50457), start=base).tokenizer()
    both = append(base, train(text, Settings(vocab_size=556)).tokenizer())
    assert set(reach(grown)[50257:]) <= set(reach(base))
    lost = unreached(both, 50257)
    assert 0 < len(lost) < len(both.tokens) - 50257
    assert not set(lost) & set(both.ids(text))
    assert MERGED not in reach(grown)


def files_with_the_same_ids(tokenizer):
    """The formats that hold a tokenizer; each gives it back with the same ids."""
    written = []
    for name in FORMATS:
        try:
            files = dumps(tokenizer, name)
        except FormatError:
            continue
        again = loads(files)
        for text in [*EXAMPLE_TEXTS.values(), "'stuff can't \n\n x\n"]:
            assert again.ids(text) == tokenizer.ids(text), name
        written.append(name)
    return written


@pytest.mark.thorough
def test_every_format_that_holds_a_grown_tokenizer_gives_it_back():
    grown = train(CORPUS, Settings(vocab_size=50300), start=load("gpt2")).tokenizer()
    assert files_with_the_same_ids(grown) == ["tokenizer.json", "vocab.json + merges.txt", ".tiktoken"]
    across = train(CORPUS, Settings(vocab_size=400, then_across_words_from=320)).tokenizer()
    assert files_with_the_same_ids(across) == ["tokenizer.json", ".tiktoken", "minbpe"]


def test_tiktoken_itself_reads_a_vocabulary_that_crosses_words():
    ours = train(CORPUS, Settings(vocab_size=400, then_across_words_from=320)).tokenizer()
    lines, more = dumps(ours, ".tiktoken").values()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines.splitlines())}
    theirs = tiktoken.Encoding("ours", mergeable_ranks=ranks, **json.loads(more))
    for text in [*EXAMPLE_TEXTS.values(), "'stuff can't \n\n x\n"]:
        assert theirs.encode_ordinary(text) == ours.ids(text)


def test_tokens_of_other_symbols_are_not_appended():
    def trained(text, *settings):
        return train(text, Settings(*settings, vocab_size=260 if "bytes" in settings else 12)).tokenizer()

    of_characters = trained("hug hug pug", "whitespace", "characters", "end")
    others = trained("dog dog fog", "whitespace", "characters", "end")
    with pytest.raises(ValueError, match="the vocabulary has no token 'o' to make the others of"):
        append(of_characters, others)
    with pytest.raises(ValueError, match=r"another word marker \(none here, end there\)"):
        append(trained("hug hug pug", "whitespace", "bytes"), others)

"""What stands beside a vocabulary is read, and what no file says is assumed aloud."""

import json
from io import BytesIO

import pytest
import sentencepiece
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import sentencepiece_model_pb2

from bpe_core import PRETOKENIZERS, FormatError, Settings, dumps, load, loads, same, train
from bpe_core.files.beside import MORE, ROLES, SWITCHES
from bpe_core.files.safely import open_safely
from bpe_core.files.tiktoken_ranks import rank_lines
from bpe_core.published import PUBLISHED
from bpe_core.text.alphabet import in_letters
from tests.files import beside_files
from tests.files.class_files import class_files
from tests.gguf_files import gpt2 as gpt2_gguf
from tests.some import later, some
from tests.texts import EXAMPLE_TEXTS

CONFIG, ADDED, MAP = "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"
PAIR = {name: content for name, content in class_files("GPT2Tokenizer").items() if name != CONFIG}
SIZE = len(json.loads(PAIR["vocab.json"]))


def config(**values):
    return {CONFIG: json.dumps(values).encode()}


def model(**options):
    """A SentencePiece model, as its own library trains it."""
    written, lines = BytesIO(), " ".join(EXAMPLE_TEXTS.values())[:20000].splitlines()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, vocab_size=300, model_type="bpe", minloglevel=2,
        hard_vocab_limit=False, **options,
    )  # fmt: skip
    return written.getvalue()


FORMS = {
    "added_tokens.json": {ADDED: json.dumps({"<x>": SIZE}).encode()},
    "added_tokens_decoder": config(added_tokens_decoder={str(SIZE): {"content": "<x>", "special": True}}),
    "additional_special_tokens": config(additional_special_tokens=["<x>"]),
    "AddedToken in a list": config(additional_special_tokens=[{"__type": "AddedToken", "content": "<x>"}]),
    "extra_special_tokens": config(extra_special_tokens={"image_token": "<x>"}),
    "bos_token": config(bos_token="<x>", eos_token=None),
    "bos_token as an object": config(bos_token={"content": "<x>", "lstrip": False, "normalized": True}),
    "bos_token as a list": config(bos_token=["<x>"]),
    "special_tokens_map.json": {MAP: b'{"pad_token": {"content": "<x>", "single_word": false}, "eos_token": "<x>"}'},
}


@pytest.mark.parametrize("form", FORMS)
def test_a_token_is_read_in_every_form_that_transformers_reads(form):
    tok = loads({**PAIR, **FORMS[form]})
    assert tok.ids("ab<x>ab", specials=True) == [*tok.ids("ab"), SIZE, *tok.ids("ab")]
    assert tok.decode([SIZE]) == "<x>"
    assert (SIZE in tok.vocabulary.added) == (form == "added_tokens.json")  # which does not call it special


@pytest.mark.parametrize(("bos", "eos"), [(True, False), (False, True), (True, True), (False, False)])
def test_bos_and_eos_are_added_if_the_config_says_so(bos, eos):
    tok = loads({**PAIR, **config(bos_token="<s>", eos_token="</s>", add_bos_token=bos, add_eos_token=eos)})
    expected = [SIZE] * bos + tok.ids("ab") + [SIZE + 1] * eos
    assert tok.ids("ab", add_special_tokens=True) == expected


WRONG = st.sampled_from(
    [1, 2.5, True, "x", [1], {"a": 1}, {"content": 3}, [[{}]], {"1": {"content": "a", "lstrip": 2}}]
)


@given(
    st.dictionaries(
        st.sampled_from([*ROLES, *MORE, *SWITCHES, "added_tokens_decoder", "tokenizer_class"]), WRONG, max_size=4
    ),
    st.one_of(WRONG, st.dictionaries(st.text(max_size=3), WRONG, max_size=3)),
    WRONG,
)
def test_a_wrong_type_beside_is_a_sentence_that_names_the_file(settings, added, special):
    beside = {**config(**settings), ADDED: json.dumps(added).encode(), MAP: json.dumps(special).encode()}
    said = problem({**PAIR, **beside})
    assert "damaged" not in said
    assert not said or any(name in said for name in (*beside, "class", "special token"))


def problem(files):
    """Why files are refused; "" if they are not."""
    try:
        loads(files).ids("ab", specials=True)
    except FormatError as error:
        return str(error)
    return ""


def test_the_file_and_the_key_are_named():
    for values, said in (
        ({"bos_token": 1}, "tokenizer_config.json: bos_token has to be text, and is int"),
        ({"add_bos_token": "yes"}, "tokenizer_config.json: add_bos_token has to be true or false, and is str"),
        ({"added_tokens_decoder": []}, None),
        ({"added_tokens_decoder": {"x": "a"}}, "tokenizer_config.json: each key of added_tokens_decoder"),
    ):
        if said:
            with pytest.raises(FormatError, match=said):
                loads({**PAIR, **config(**values)})
        else:
            assert loads({**PAIR, **config(**values)}).ids("ab")


PROMPT = "<|im_start|>the keeper<|im_end|> a"


@pytest.mark.parametrize("legacy", [True, False])
def test_added_tokens_split_a_text_before_sentencepiece_does(tmp_path, legacy):
    content = model(remove_extra_whitespaces=False, normalization_rule_name="identity")
    theirs = sentencepiece.SentencePieceProcessor(model_proto=content)
    without = sentencepiece_model_pb2.ModelProto.FromString(content)
    without.normalizer_spec.add_dummy_prefix = False
    plain = sentencepiece.SentencePieceProcessor(model_proto=without.SerializeToString())
    size = theirs.get_piece_size()
    files = {"tokenizer.model": content, ADDED: json.dumps({"<|im_start|>": size, "<|im_end|>": size + 1}).encode()}
    files |= config(legacy=legacy)
    later = theirs if legacy else plain
    expected = [size, *later.encode("the keeper"), size + 1, *later.encode(" a")]
    for name, each in files.items():
        (tmp_path / name).write_bytes(each)
    for tok in (loads(files), load(tmp_path), load(tmp_path / "tokenizer.model"), open_safely(files)):
        assert tok.ids(PROMPT) == expected  # no file calls the tokens special, so they are always found
        assert tok.decode(expected).startswith("<|im_start|>the keeper<|im_end|>")
        assert "".join(tok.decode_stream(expected)) == tok.decode(expected)
        spans = tok.encode(PROMPT).spans
        assert PROMPT[slice(*spans[0])] == "<|im_start|>"
    assert loads({"tokenizer.model": content}).ids("the keeper") == theirs.encode("the keeper")


@pytest.mark.parametrize("names", [("encoder.json", "vocab.bpe"), ("vocab.json", "merges.txt")])
def test_files_that_belong_together_are_found_by_either_name_and_as_a_folder(tmp_path, names):
    files = dict(zip(names, PAIR.values(), strict=True)) | FORMS["added_tokens.json"]
    for start in ("", "mine-"):
        folder = tmp_path / f"{start}x"
        folder.mkdir()
        for name, content in files.items():
            (folder / f"{start}{name}").write_bytes(content)
        for path in (*([folder] if not start else []), folder / f"{start}{names[0]}", folder / f"{start}{names[1]}"):
            assert load(path).ids("hello<x>") == [259, SIZE]


def as_pair(tok):
    written = [in_letters(token) for token in tok.tokens]
    merges = "\n".join(f"{written[left]} {written[right]}" for left, right, _ in tok.merges)
    vocabulary = {token: i for i, token in enumerate(written) if token}
    return {"vocab.json": json.dumps(vocabulary).encode(), "merges.txt": merges.encode()}


@pytest.mark.parametrize(
    ("key", "text", "ids"),
    [
        ("cl100k_base", "2023\n\nhello<think>\nOkay", [2366, 18, 271, 15339, 14023, 771, 397, 33413]),  # tiktoken's
        later(("qwen", "a\n\nhello", [64, 271, 14990])),  # transformers'
    ],
)
def test_the_merges_of_a_published_vocabulary_are_recognised(key, text, ids):
    row, files = PUBLISHED[key], as_pair(load(key))
    tok = loads(files)
    assert tok.ids(text) == ids
    assert (tok.assumptions, tok.recognised) == ((), row.title)
    assert row.title in repr(tok)


@pytest.mark.thorough
def test_recognised_merges_count_for_more_than_a_class_and_less_than_a_chosen_split():
    row, files = PUBLISHED["cl100k_base"], as_pair(load("cl100k_base"))
    tok = loads({**files, **config(tokenizer_class="GPT2Tokenizer")})
    assert tok.ids("2023") == load("cl100k_base").ids("2023")
    assert f"{row.title}’s split is assumed" in " ".join(tok.assumptions)
    assert loads(files, "gpt2").ids("2023") == [508, 1419]


def test_a_chosen_split_is_no_assumption_and_is_saved():
    for chosen in ("qwen", r"\p{L}+|\P{L}"):
        tok = loads(PAIR, chosen)
        assert (tok.split_is_assumed, loads(PAIR).split_is_assumed) == (False, True)
        again = loads(dumps(tok))
        assert (again.assumptions, again.ids("I'LL 12")) == ((), tok.ids("I'LL 12"))
    assert loads(PAIR, "qwen").ids("I'LL") == [40, 261]
    with pytest.raises(FormatError, match="says itself"):
        loads(dumps(train("hug", Settings(vocab_size=257)).tokenizer()), "qwen")


@pytest.mark.parametrize("form", beside_files.FORMS)
def test_what_is_beside_a_tokenizer_json_counts_as_in_transformers(form):
    tok = loads(beside_files.form_files(form))
    ids = [tok.ids(text, specials=True) for text in beside_files.TEXTS]
    assert [*ids, tok.ids("hug", add_special_tokens=True)] == beside_files.RECORDED[form]


@pytest.mark.parametrize("form", beside_files.TAKEN)
def test_a_token_with_the_id_of_another_one_gets_a_new_id_as_in_transformers(form):
    files, (_, expected) = beside_files.taken_files(form), beside_files.TAKEN[form]
    for tok in (loads(files), open_safely(files)):
        assert tok.ids(beside_files.TAKEN_TEXT, specials=True) == expected
        assert tok.decode(expected) == beside_files.TAKEN_TEXT


@pytest.mark.parametrize(("file", "name", "values", "differs"), some(beside_files.CLASS_FORMS))
def test_what_a_class_would_change_of_a_tokenizer_json_is_said(file, name, values, differs):
    files = beside_files.class_form_files(file, name, values)
    tok, alone = loads(files), loads({"tokenizer.json": files["tokenizer.json"]})
    assert tok.ids(beside_files.CLASS_TEXT, specials=True) == alone.ids(beside_files.CLASS_TEXT, specials=True)
    assert bool(tok.assumptions) == differs
    if differs:
        assert all(name.removesuffix("Fast") in sentence for sentence in tok.assumptions)
        assert open_safely(files).assumptions == tok.assumptions


def test_a_tokenizer_json_that_says_all_itself_is_kept_as_it_is():
    files = beside_files.OWN | config(bos_token="<s>", add_bos_token=False, added_tokens_decoder={})
    assert dumps(loads(files)) == beside_files.OWN


PADDING = {"strategy": {"Fixed": 9}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "!"}


@pytest.mark.parametrize(
    ("part", "wish", "said"),
    [
        ("truncation", {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}, "to 2 tokens"),
        ("padding", PADDING, "pads texts"),
        ("dropout", 0.5, "at random"),
    ],
)
def test_what_a_tokenizer_json_asks_for_and_is_not_done_is_said(part, wish, said):
    own = dumps(train("hug hug pug pugs", Settings(vocab_size=259)).tokenizer())
    parts = json.loads(own["tokenizer.json"])
    (parts["model"] if part == "dropout" else parts)[part] = wish
    tok = loads({"tokenizer.json": json.dumps(parts).encode()})
    assert tok.ids("hug pugs") == loads(own).ids("hug pugs")
    (sentence,) = tok.assumptions
    assert said in sentence
    assert loads(dumps(tok)).assumptions == tok.assumptions


@pytest.mark.parametrize("named", [{"content": ""}, "", None])
def test_an_empty_name_is_no_token(named):
    tok = loads({**PAIR, **config(pad_token=named, additional_special_tokens=[named]), ADDED: b'{"": 300}'})
    assert tok.special_tokens == loads(PAIR).special_tokens


def test_only_the_tokens_that_no_file_names_are_said_to_be_assumed():
    (_, sentence) = loads({**PAIR, **FORMS["added_tokens.json"]}).assumptions
    assert sentence.endswith("those that no merge makes are assumed, <unk>, <|endoftext|>.")


def test_the_tokens_beside_a_rank_file_are_those_that_tiktoken_is_given():
    tok = train(" ".join(EXAMPLE_TEXTS.values())[:9000], Settings("cl100k", vocab_size=300)).tokenizer()
    ranks = {token: i for i, token in enumerate(tok.tokens)}
    decoder = {"301": {"content": "<x>", "special": True}, "303": {"content": "<note>", "special": False}}
    files = {"mine.tiktoken": rank_lines((token, rank) for token, rank in ranks.items()), **config(
        added_tokens_decoder=decoder, bos_token="<b>", additional_special_tokens=["<x>"], add_bos_token=True
    )}  # fmt: skip
    named = {"<x>": 301, "<note>": 303, "<b>": 304}  # a token without an id gets the next one that is free
    theirs = tiktoken.Encoding(
        "mine", pat_str=PRETOKENIZERS["cl100k"].pattern, mergeable_ranks=ranks, special_tokens=named
    )
    tok, text = loads(files, "cl100k"), "the <x> cat<note>the<b>"
    assert tok.ids(text, specials=True) == theirs.encode(text, allowed_special="all")
    assert tok.ids(text, specials=False) == theirs.encode(text, allowed_special={"<note>"}, disallowed_special=())
    assert tok.ids("the", add_special_tokens=True) == [304, *theirs.encode("the")]
    assert tok.decode([301, 303, 304], skip_special_tokens=True) == "<note>"
    taken = loads({"mine.tiktoken": files["mine.tiktoken"], ADDED: b'{"<x>": 5, "<y>": 200}'}, "cl100k")
    assert taken.special_tokens == {"<x>": 300, "<y>": 301}, "the ids 5 and 200 are of bytes"


def test_a_token_takes_the_space_on_both_sides_and_the_model_s_own_bos_is_added():
    content = model(remove_extra_whitespaces=False, normalization_rule_name="identity")
    theirs = sentencepiece.SentencePieceProcessor(model_proto=content)
    size = theirs.get_piece_size()
    token = {"content": "<x>", "lstrip": True, "rstrip": True, "normalized": False, "special": True}
    tok = loads({"tokenizer.model": content, **config(added_tokens_decoder={str(size): token}, add_bos_token=True)})
    expected = [*theirs.encode("the"), size, *theirs.encode("keeper")]
    assert tok.ids("the  <x> keeper", specials=True) == expected
    assert tok.ids("the", add_special_tokens=True) == theirs.encode("the", add_bos=True)
    without = sentencepiece_model_pb2.ModelProto.FromString(content)
    without.normalizer_spec.add_dummy_prefix = False
    plain = sentencepiece.SentencePieceProcessor(model_proto=without.SerializeToString())
    assert loads({"tokenizer.model": content, **config(add_prefix_space=False)}).ids("the") == plain.encode("the")


@pytest.mark.parametrize(
    ("name", "assumed"),
    [("T5TokenizerFast", True), ("XLMRobertaTokenizer", True), ("LlamaTokenizer", False), ("TokenizersBackend", False)],
)
def test_a_class_beside_a_sentencepiece_model_is_said_unless_its_ids_are_the_model_s(name, assumed):
    """Those two classes of transformers end a text with </s> and move all ids by one."""
    content = model()
    said = loads({"tokenizer.model": content, **config(tokenizer_class=name)}).assumptions
    assert [name in sentence for sentence in said] == [True] * assumed
    assert not loads({"tokenizer.model": content}).assumptions


def test_what_is_beside_a_gguf_is_said_not_to_be_read():
    gguf = gpt2_gguf()
    found = loads({"model.gguf": gguf, **config(bos_token="<s>"), ADDED: b"{}"})
    assert [CONFIG in each and ADDED in each for each in found.assumptions] == [True]
    assert not loads({"model.gguf": gguf}).assumptions


@pytest.mark.thorough
@pytest.mark.parametrize("switch", ["legacy", "add_prefix_space"])
def test_same_has_what_a_config_says_about_the_space_before_a_text(switch):
    """The ids differ in sentencepiece too: see the test of added tokens above."""
    content = model(remove_extra_whitespaces=False, normalization_rule_name="identity")
    size = sentencepiece.SentencePieceProcessor(model_proto=content).piece_size()
    added = {ADDED: json.dumps({"<x>": size}).encode()}
    one, other = (loads({"tokenizer.model": content, **added, **config(**{switch: on})}) for on in (True, False))
    found = same(one, other, seconds=5)
    assert found.differing == ("normalization",)
    assert found.text is not None
    assert one.ids(found.text, specials=True) != other.ids(found.text, specials=True)
    (part,) = [part for part in found.parts if part.name == "normalization"]
    assert f"{switch}: false" in str(part.rows)

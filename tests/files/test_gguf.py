"""GGUF files: read as llama.cpp reads them, and within limits whatever they say."""

import tracemalloc
from io import BytesIO
from pathlib import Path
from random import Random
from struct import pack

import pytest
import sentencepiece
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from bpe_core import FormatError, Settings, dumps, load, loads, train
from bpe_core.chat.given_template import template_of
from bpe_core.chat.rendering import render
from bpe_core.chat.templates import Turn
from bpe_core.cli.main import main
from bpe_core.files.gguf_header import MAX_ITEMS, MAX_PAIRS, MAX_TEXT, MAX_TEXTS, header_of
from bpe_core.files.gguf_splits import NAMED, SPLITS
from bpe_core.files.safely import open_safely, plain_safely
from bpe_core.text.alphabet import in_letters
from tests import gguf_reference as llama_cpp
from tests.gguf_files import bert_tokens, gpt2, of_bert, of_bytes, of_sentencepiece, sentencepiece_model, written
from tests.texts import EXAMPLE_TEXTS, NASTY_UNICODE, SPACES

MANUAL = Path(__file__).parents[2] / "bpe_core/README.md"
TEXTS = [*(text[:4000] for text in EXAMPLE_TEXTS.values()), *NASTY_UNICODE, *SPACES]
SMALL = train(EXAMPLE_TEXTS["short-story"], Settings("gpt2", vocab_size=400)).tokenizer()
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


def opened(content):
    return loads({"model.gguf": content})


def test_gpt2_has_the_ids_of_the_vocabulary_that_ships():
    ours, theirs = opened(gpt2()), load("gpt2")
    for text in (*EXAMPLE_TEXTS.values(), *NASTY_UNICODE):
        assert ours.ids(text, specials=False) == theirs.ids(text, specials=False)
        assert ours.ids(text, specials=True) == theirs.ids(text, specials=True)
    assert ours.plain() == theirs
    assert ours.around.before == ()


def test_a_file_far_larger_than_its_vocabulary_is_read_no_further_than_its_header(tmp_path, capsys):
    path, out = tmp_path / "model.gguf", tmp_path / "tokenizer.json"
    path.write_bytes(of_bytes(SMALL, "gpt-2"))
    with path.open("r+b") as file:
        file.truncate(40 << 30)
    assert load(path).ids("the tale") == SMALL.ids("the tale")
    assert main(["convert", str(path), "--out", str(out)]) == 0
    assert load(out).plain() == SMALL
    assert "400 tokens" in capsys.readouterr().err


def test_the_manual_shows_what_a_wrong_split_does(tmp_path, capsys, monkeypatch):
    manual = MANUAL.read_text(encoding="utf-8").partition("answers nonsense")[2]
    session = manual.partition("```console\n")[2].partition("   ```")[0]
    line, *printed = [shown.removeprefix("   ") for shown in session.splitlines()]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.gguf").write_bytes(of_bytes(load("gpt2"), "default"))
    assert main(line.split()[2:]) == 1  # they differ
    assert capsys.readouterr().out.splitlines()[: len(printed)] == printed


@pytest.mark.parametrize("size", [0, 23, 24, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_header_of_any_length_is_cut_where_it_ends(size):
    tokens = ["x" * 1000 + str(i) for i in range(size // 1000)]
    content = written("gpt2", tokens or ["a"])
    assert content.startswith(header := header_of(BytesIO(content + b"weights")))
    assert len(content) - len(header) < 64  # what aligns the weights


def test_it_is_opened_in_a_process_of_its_own_as_here():
    files = {"model.gguf": of_bytes(SMALL, "llama-bpe", bos_token_id=3)}
    tok, plain = open_safely(files), loads(files)
    assert tok.ids("the tale's 1234") == plain.ids("the tale's 1234")
    assert tok.ids("tale", add_special_tokens=True)[0] == 3
    assert dumps(tok) == dumps(plain)
    assert loads(dumps(tok)).ids("the tale's 1234") == plain.ids("the tale's 1234")
    with pytest.raises(FormatError, match=r"its pretokenizer is llama-bpe of llama\.cpp"):
        plain_safely(tok)


def test_its_chat_template_is_rendered_as_others_are(tmp_path, capsys, monkeypatch):
    template = template_of({"model.gguf": gpt2()})
    assert template.special_tokens == {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}
    assert render(template, [Turn("user", "Hi")]).text == "<|endoftext|>Hi<|endoftext|>"
    assert template_of({"model.gguf": of_bytes(SMALL, "gpt-2")}) is None
    path, turns = tmp_path / "model.gguf", tmp_path / "turns.json"
    path.write_bytes(gpt2())
    turns.write_text('[{"role": "user", "content": "Hi"}]')
    assert main(["chat", str(path), str(turns)]) == 0
    assert capsys.readouterr().out.split() == ["50256", "17250", "50256"]


# -- How text is split


@pytest.mark.parametrize("row", SPLITS, ids=lambda row: row.names[0])
def test_each_way_to_split_cuts_as_its_patterns_say(row):
    parts = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in row.patterns]
    theirs = pre_tokenizers.Sequence(parts)
    for text in TEXTS:
        expected = llama_cpp.split(row.patterns, text)
        assert [piece for piece, _ in theirs.pre_tokenize_str(text)] == expected
        assert "".join(expected) == text


def test_a_text_is_not_normalized_before_it_is_split():
    """Qwen's own tokenizer joins a letter and its accent first."""
    ours = opened(of_bytes(SMALL, "qwen2"))
    assert ours.decode(ours.ids("e\u0301")) == "e\u0301"


def test_each_name_of_a_split_is_that_of_one_row():
    assert len(NAMED) == sum(len(row.names) for row in SPLITS) == 94


SPLIT = [
    ("gpt-2", "I'll 1234 x", ["I", "'ll", " 1234", " x"]),
    ("llama-bpe", "I'LL 1234  x", ["I", "'LL", " ", "123", "4", " ", " x"]),
    ("qwen2", "I'll 12\n\n x", ["I", "'ll", " ", "1", "2", "\n\n", " x"]),
    ("qwen35", "e\u0301e", ["e\u0301e"]),
    ("ufakzeka", "I'll", ["I", "'ll"]),
    ("starcoder", "x 12", ["x", " ", "1", "2"]),
    ("default", "x=1234", ["x", "=", "123", "4"]),
    ("falcon", "`x 12345", ["`", "x", " ", "123", "45"]),
    ("gpt-4o", "oneTwo'll 1234", ["one", "Two'll", " ", "123", "4"]),
    ("tekken", "oneTwo'll 12", ["one", "Two", "'ll", " ", "1", "2"]),
    ("deepseek-v3", "x12345 .a你好", ["x", "123", "45", " .", "a", "你好"]),
    ("deepseek-coder", "a, 12\nb", ["a", ",", " ", "1", "2", "\n", "b"]),
    ("bloom", "a b, c", ["a", " b", ",", " c"]),
    ("viking", "a 12", ["a", " ", "1", "2"]),
    ("bailingmoe", "I'll\n\nx", ["I", "'ll", "\n\n", "x"]),
    ("seed-coder", "!\nx1", ["!", "\n", "x", "1"]),
    ("laguna", "a \nb", ["a", " ", "\n", "b"]),
    ("exaone-moe", "one two 12", ["one two", " ", "1", "2"]),
    ("minicpm5", "a1234", ["a", "123", "4"]),
    ("jais-2", "a" + " " * 12 + "b", ["a", " " * 8, "  ", " ", " b"]),
    ("deepseek-llm", "é中 12\u3000。", ["é", "中", " ", "12", "\u3000。"]),
    ("spark2_5", "a!\n\n1", ["a", "!", "\n", "\n", "1"]),
    ("afmoe", "x1234567ไทย", ["x", "1", "234", "567", "ไ", "ทย"]),
    ("tiny_aya", "oneTwo 1234", ["oneTwo", " ", "1", "234"]),
    ("youtu", "oneTwo's 12ㄱ", ["oneTwo's", " ", "1", "2", "ㄱ"]),
    ("granite-embed-multi-97m", "e\u0301e oneTwo", ["e\u0301e", " one", "Two"]),
    ("kimi-k2", "a中文b's 1234", ["a", "中文", "b's", " ", "123", "4"]),
    ("kimi-k3", "a中文b's 1234", ["a", "中文", "b's", " ", "123", "4"]),
    ("lfm2", "a\n\n b", ["a", "\n\n", " b"]),
    ("lfm2.5", "a\n\n\n b", ["a", "\n\n\n", " b"]),
    ("lfm2.5", "a \n \nb   c", ["a", " \n \n", "b", "  ", " c"]),
    ("sophia", "one 1234\n two", ["one 1234\n two"]),
    ("domyn-small", "x 12", ["x", " ", "1", "2"]),
    ("superbpe", "one two 1234", ["one two ", "1", "234"]),
    ("chameleon", "IMGIMGABZ a  b12", ["IMGIMGABZ", " a", "  ", "b", "1", "2"]),
    # llama.cpp's own way, where the model's own tokenizer cuts otherwise
    ("llama-bpe", "x'ſ", ["x", "'ſ"]),
    ("llama-bpe", "'ſa", ["'ſa"]),
    ("gpt-4o", "écoleÉcole", ["écoleÉcole"]),
    ("gpt-4o", "e\u0301e", ["e", "\u0301e"]),
]


@pytest.mark.parametrize(("name", "text", "parts"), SPLIT)
def test_what_is_cut(name, text, parts):
    assert llama_cpp.split(NAMED[name].patterns, text) == parts
    ours = opened(of_bytes(SMALL, name, bos_token_id=0))
    assert [pretoken.text for pretoken in ours.encode(text).pretokens] == parts


def test_where_a_whole_word_is_a_token_llama_3_takes_it_without_merges():
    tokens = [*map(chr, range(33, 127)), "hug", "!!"]
    for name, ids in (("llama-bpe", [94]), ("gpt-2", [71, 84, 70])):
        assert opened(written("gpt2", tokens, pre=name, merges=["! !"], bos_token_id=0)).ids("hug") == ids


def test_gemma_4_joins_characters_with_a_sign_for_the_space_and_bytes_where_it_lacks_one():
    tokens = ["<unk>", "<bos>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "\n", "▁a", "▁ab", "\n\n"]
    types = [UNKNOWN, CONTROL, *[BYTE] * 256, *[NORMAL] * 7]
    values = {"token_type": types, "merges": ["▁ a", "▁a b", "\n \n"], "bos_token_id": 1, "unknown_token_id": 0}
    for content in (written("gemma4", tokens, **values), written("gpt2", tokens, pre="gemma4", **values)):
        ours = opened(content)
        assert ours.ids(" ab\n\n\n aé") == [263, 264, 261, 262, *(2 + byte for byte in "é".encode())]
        assert ours.decode(ours.ids(" ab\n\n\n aé")) == " ab\n\n\n aé"
        assert ours.ids("a", add_special_tokens=True) == [1, 259]
    told = written("gpt2", tokens, pre="sarvam-moe", **values)
    assert opened(told).ids("a", add_special_tokens=True) == [259]


def test_domyn_small_joins_characters_split_as_minervas():
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "1", "▁a", "▁ab", "11"]
    types = [UNKNOWN, *[BYTE] * 256, *[NORMAL] * 7]
    ours = opened(written("gpt2", tokens, pre="domyn-small", merges=["▁ a", "▁a b", "1 1"], token_type=types))
    # ▁ is a sign, and signs are cut from letters
    assert [ours.id_to_token(i) for i in ours.ids(" ab 11é")] == [
        b" ",
        b"a",
        b"b",
        b" ",
        b"1",
        b"1",
        b"<0xC3>",
        b"<0xA9>",
    ]
    assert ours.decode(ours.ids(" ab 11é")) == " ab 11é"


@pytest.mark.parametrize("specials", [True, False])
@pytest.mark.parametrize("name", ["<think>", "</tool_call>", "[x]", "a b"])
@pytest.mark.parametrize("kind", ["gpt2", "llama", "t5", "bert"])
def test_a_token_of_type_4_is_one_id_in_each_kind(kind, name, specials):
    if kind == "gpt2":
        tokens = [*(in_letters(bytes([byte])) for byte in range(256)), "ab", name]
        content = written("gpt2", tokens, pre="qwen35", merges=["a b"], token_type=[*[NORMAL] * 257, USER_DEFINED])
    elif kind == "bert":
        tokens = ["[UNK]", "[CLS]", "[SEP]", *(f"▁{letter}" for letter in "abx"), "a", "b", "x", name]
        values = {"unknown_token_id": 0, "bos_token_id": 1, "seperator_token_id": 2}
        content = written("bert", tokens, **values, token_type=[2, 3, 3, *[NORMAL] * 6, USER_DEFINED])
    else:
        tokens = (
            [*BYTES, "▁", "a", "b", "x", name]
            if kind == "llama"
            else ["<pad>", "</s>", "<unk>", "▁", "a", "b", "x", name]
        )
        types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256] if kind == "llama" else [CONTROL, CONTROL, UNKNOWN]
        content = written(kind, tokens, token_type=[*types, *[NORMAL] * 4, USER_DEFINED], scores=[-1.0] * len(tokens))
    ours = opened(content)
    last = ours.vocab_size - 1
    assert ours.ids(f"a{name}b", specials=specials).count(last) == 1
    assert ours.ids(name, specials=specials)[-1] == last == ours.token_to_id(name)
    assert ours.decode([last], skip_special_tokens=True).strip() == name


@pytest.mark.parametrize(
    "content",
    [
        written("gpt2", ["<", "|", "a", "b", ">", "<|a|>", "|><|b|>", "!", "!!"], pre="gpt-2", merges=["! !"],
                token_type=[1, 1, 1, 1, 1, 3, 3, 1, 1]),
        written("bert", ["▁<", "▁|", "▁a", "b", "▁>", "<|a|>", "|><|b|>", "[UNK]", "[CLS]"], unknown_token_id=7,
                bos_token_id=8, seperator_token_id=8, token_type=[1, 1, 1, 1, 1, 3, 3, 2, 3]),
    ],
    ids=["gpt2", "bert"],
)  # fmt: skip
def test_the_longest_special_token_is_found_first_of_names_that_overlap(content):
    assert opened(content).ids("<|a|><|b|>", specials=True) == [0, 1, 2, 6]
    assert opened(content).ids("<|a|>", specials=True) == [5]


# -- SentencePiece's kinds


@pytest.mark.parametrize("prefix", [True, False])
def test_joining_by_scores_is_llama_cpps(prefix):
    content = sentencepiece_model("bpe", "identity")
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    tokens = [library.id_to_piece(i) for i in range(library.get_piece_size())]
    scores = [library.get_score(i) for i in range(len(tokens))]
    ours = opened(of_sentencepiece(content, model="llama", add_space_prefix=prefix))
    for text in TEXTS:
        assert ours.ids(text[:500], specials=False) == llama_cpp.spm(tokens, scores, text[:500], prefix)
    if prefix:
        assert all(ours.ids(text) == library.encode(text) for text in EXAMPLE_TEXTS.values())
    assert ours.ids("a", add_special_tokens=True) == [1, *ours.ids("a")]


def test_no_order_of_merges_does_what_equal_scores_do():
    """So this kind is not written as a `tokenizer.json`."""
    tokens = [*BYTES, "▁", "a", "b", "ab", "ba"]
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 5]
    ours = opened(written("llama", tokens, token_type=types, add_space_prefix=False))
    expected = [[262, 260], [263, 261]]
    assert [ours.ids("aba"), ours.ids("bab")] == expected
    vocabulary = {token: i for i, token in enumerate(tokens)}
    for merges in ([("a", "b"), ("b", "a")], [("b", "a"), ("a", "b")]):
        theirs = Tokenizer(models.BPE(vocabulary, merges))
        assert [theirs.encode("aba").ids, theirs.encode("bab").ids] != expected
    with pytest.raises(FormatError, match=": its tokens are SentencePiece's"):
        dumps(ours)


def test_a_graph_of_merges_is_shown_for_it():
    ours = opened(of_sentencepiece(sentencepiece_model("bpe", "identity"), model="llama"))
    encoding = ours.encode("the tale")
    assert len(ours.merges) > 300
    assert encoding.walk.merged_at.max() > 0
    assert "".join("the tale"[start:end] for start, end in encoding.spans) == "the tale"


def test_special_tokens_are_found_first_and_each_part_between_is_a_text_of_its_own():
    ours = opened(of_sentencepiece(sentencepiece_model("bpe", "identity"), model="llama"))
    a, b = ours.ids("a"), ours.ids("b")
    assert ours.ids("a</s>b<user>", specials=True) == [*a, 2, *b, 3]
    assert ours.ids("<user>b", specials=False) == [3, *b]
    encoding = ours.encode("a</s>é <user>", specials=True)
    assert [encoding.text[slice(*span)] for span in encoding.spans if span[0] < span[1]][1] == "</s>"
    assert encoding.spans[-1] == (7, 13)


def test_the_longest_special_token_is_found_first_and_phi_3_drops_white_space_after_one():
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "<|a|>", "|><|b|>"]
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, NORMAL, CONTROL, CONTROL]
    values = {"token_type": types, "scores": [0.0] * len(tokens)}
    ours = opened(written("llama", tokens, **values))
    assert ours.ids("<|a|><|b|>", specials=True) == [259, *(3 + byte for byte in b"<|a"), 261]
    assert ours.ids("<|a|> \nx", specials=True) == [260, 259, 259, 13, 3 + ord("x")]
    phi = opened(written("llama", tokens, **values, name="Phi-3 mini"))
    assert phi.ids("<|a|> \nx", specials=True) == [260, 259, 3 + ord("x")]
    assert phi.ids("<s> x", specials=True) == [1, 259, 259, 3 + ord("x")]


def test_control_tokens_are_joined_of_their_pieces_too():
    """So does llama.cpp: text that spells `</s>` ends an answer where `</` and `s>` are tokens."""
    tokens = [*BYTES, "▁", "</", "s>", "<0", "<0x", "0A", "0A>"]
    ours = opened(written("llama", tokens, token_type=[UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 7]))
    assert ours.ids("</s>", specials=False) == [259, 2]
    assert ours.ids("<0x0A>", specials=False) == [259, 263, 265]  # llama.cpp writes 13: bytes are not followed


@pytest.mark.parametrize(("c", "bc", "ids"), [(-0.3, -0.4, [6, 5]), (-0.4, -0.3, [3, 7])])
def test_unigram_takes_the_better_of_two_sums_that_are_nearly_equal(c, bc, ids):
    tokens = ["<pad>", "</s>", "<unk>", "a", "b", "c", "ab", "bc"]
    scores = [0.0, 0.0, 0.0, -(2.0**24), -9.0, c, -(2.0**24), bc]
    content = written("t5", tokens, scores=scores, token_type=[3, 3, 2, *[NORMAL] * 5], add_space_prefix=False)
    assert opened(content).ids("abc") == ids  # as llama.cpp, which sums with double precision


def test_llama_cpp_does_not_normalize_for_joining_and_uses_unused_pieces():
    content = sentencepiece_model("bpe", "nmt_nfkc")
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    ours = opened(of_sentencepiece(content, model="llama"))
    assert ours.ids("ﬁve") != library.encode("ﬁve") == library.encode("five") == ours.ids("five")
    types = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, NORMAL, NORMAL, UNUSED]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "▁a"]
    assert opened(written("llama", tokens, token_type=types)).ids("a") == [261]


@pytest.mark.parametrize("rule", ["nmt_nfkc", "identity"])
def test_unigram_takes_the_pieces_with_the_best_sum(rule):
    content = sentencepiece_model("unigram", rule)
    library = sentencepiece.SentencePieceProcessor(model_proto=content)
    ours = opened(of_sentencepiece(content, model="t5"))
    for text in TEXTS:
        if "<" not in text:
            assert ours.ids(text, specials=False) == library.encode(text)
    assert ours.ids("a", add_special_tokens=True) == [*ours.ids("a"), 2]


# -- BERT


def test_bert_is_read_as_llama_cpp_reads_it():
    bert = load("bert")
    content = of_bert(bert)
    ours = opened(content)
    tokens = bert_tokens(bert)
    for text in TEXTS:
        assert ours.ids(text, specials=False) == llama_cpp.wpm(tokens, text), text
    for name in ("short-story", "python-code", "numbers-dates"):
        assert ours.ids(EXAMPLE_TEXTS[name]) == bert.ids(EXAMPLE_TEXTS[name])
    assert ours.ids("the", add_special_tokens=True) == [101, 1996, 102]
    assert ours.ids("[MASK] the", specials=True) == [103, 1996]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a" * 101, "a" * 100 + "a"),  # BERT gives up on a word of more than 100 characters
        ("किताब", "कतब"),  # vowel signs go with the accents
        ("한국", "ᄒᄀ"),  # of a syllable its first letter is left
    ],
)
def test_where_llama_cpp_reads_bert_otherwise_so_do_we(text, same):
    bert = load("bert")
    ours = opened(of_bert(bert))
    assert ours.ids(text) == ours.ids(same)
    assert ours.ids(text) != bert.ids(text)


def test_berts_capitals_and_accents_may_be_kept():
    tokens = ["[UNK]", "[CLS]", "[SEP]", "▁Éa", "▁éa", "▁ea"]
    special = {"unknown_token_id": 0, "bos_token_id": 1, "seperator_token_id": 2, "token_type": [2, 3, 3, 1, 1, 1]}
    assert opened(written("bert", tokens, **special)).ids("Éa") == [5]
    assert opened(written("bert", tokens, **special, **{"normalizer.lowercase": False})).ids("Éa") == [3]
    kept = {"normalizer.strip_accents": False}
    assert opened(written("bert", tokens, **special, **kept)).ids("Éa") == [4]


# -- What llama.cpp makes of names


def test_names_that_end_an_answer_are_control_tokens_whatever_the_file_calls_them():
    tokens = [*map(chr, range(33, 127)), "<|im_end|>", "<|fim_prefix|>", "<|channel|>", "<mine>", "!!"]
    types = [NORMAL] * 94 + [USER_DEFINED, USER_DEFINED, CONTROL, USER_DEFINED, NORMAL]
    ours = opened(written("gpt2", tokens, pre="gpt-2", merges=["! !"], token_type=types))
    assert ours.ids("<|im_end|>", specials=True) == [94]
    assert len(ours.ids("<|im_end|>", specials=False)) == 10
    assert len(ours.ids("<|fim_prefix|>", specials=False)) == 14
    assert ours.ids("<|channel|><mine>", specials=False) == [96, 97]
    told = written("gpt2", tokens, pre="gpt-2", merges=["! !"], token_type=types, fim_pre_token_id=95)
    assert opened(told).ids("<|fim_prefix|>", specials=False) == [95]


def test_what_comes_around_a_text():
    kinds = {"bos_token_id": 5, "eos_token_id": 6}
    for values, around in [
        ({}, ((), ())),
        ({"add_bos_token": True}, ((5,), ())),
        ({"add_eos_token": True}, ((), (6,))),
        ({"add_bos_token": True, "bos_token_id": 10**6}, ((11,), ())),
    ]:
        ours = opened(of_bytes(SMALL, "gpt-2", **kinds | values))
        assert (ours.around.before, ours.around.after) == around
    assert opened(of_bytes(SMALL, "tekken", **kinds)).around.before == (5,)


# -- What is refused


AB = ["a", "b", "ab"]
BYTES = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
REFUSED = [
    (lambda: written("gpt2", AB, merges=["a b"]), "does not say how text is split: it has no tokenizer.ggml.pre"),
    (lambda: written("gpt2", AB, merges=["a b"], pre="mine"), "in the way 'mine'"),
    (lambda: written("gpt2", AB, merges=["a b"], pre="whitespace"), "in the way 'whitespace'"),
    (lambda: written("gpt2", ["a"], pre="gpt-2"), "no tokenizer.ggml.merges"),
    (lambda: written("gpt2", ["a"], pre="gpt-2"), "an old conversion without its merges; convert the model again"),
    (lambda: written("rwkv", ["a"]), "of the kind 'rwkv'; gpt2, gemma4, llama, bert, t5 are read"),
    (lambda: written("gpt2", [*AB, "a"], merges=["a b"], pre="gpt-2"), "the token 'a' twice"),
    (lambda: written("gpt2", ["a"], merges=["a b"], pre="gpt-2"), "a merge with 'b', which is no token of it"),
    (lambda: written("gpt2", AB, merges=["a b"], pre=7), "tokenizer.ggml.pre of the GGUF has to be a text, and is int"),
    (lambda: written("gpt2", AB, merges=["a b"], pre="gpt-2", token_type=[1]), "fewer values than there are tokens"),
    (lambda: written("llama", ["<unk>", "<s>", "</s>"]), "lacks the token <0x00>"),
    (lambda: written("bert", ["a"]), "which token is its special token 'unknown'"),
    (lambda: written("llama", BYTES, scores=["b"]), "tokenizer.ggml.scores of the GGUF has values of a wrong type"),
    (lambda: b"GGUF" + pack("<IQQ", 3, 0, 0), "has no tokenizer: it is no language model, or not the first part"),
    (lambda: b"GGUF" + pack(">IQQ", 3, 0, 0), "of version 50331648; versions 2 and 3"),
    (lambda: b"GGUF" + pack("<IQQ", 1, 0, 0), "of version 1;"),
    (lambda: gpt2()[:1000], "it is not whole"),
    (lambda: b"GGUF", "it is not whole"),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_is_refused_in_one_sentence(content, reason):
    with pytest.raises(FormatError) as caught:
        opened(content())
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def pairs(number, *rest):
    return b"GGUF" + pack("<IQQ", 3, 0, number) + b"".join(rest)


def key(kind, *rest, name=b"tokenizer.x"):
    return pack("<Q", len(name)) + name + pack("<I", kind) + b"".join(rest)


TEXT, LIST, BIG = 8, 9, pack("<Q", 2**64 - 1)
BOMBS = [
    (pairs(2**63), f"{2**63:,} keys; up to {MAX_PAIRS:,}"),
    (pairs(1, BIG), "bytes of one key"),
    (pairs(1, key(TEXT, BIG)), f"bytes of one text; up to {MAX_TEXT:,}"),
    (pairs(1, key(LIST, pack("<I", 4), BIG)), f"values in one list; up to {MAX_ITEMS:,}"),
    (pairs(1, key(LIST, pack("<IQ", 12, MAX_ITEMS))), "it is not whole"),
    (pairs(1, key(LIST, pack("<IQ", TEXT, MAX_TEXTS))), "it is not whole"),
    (pairs(1, key(LIST, pack("<IQ", TEXT, MAX_TEXTS + 1))), "texts in its lists"),
    (pairs(1, key(LIST, pack("<IQ", TEXT, 1), BIG)), "bytes of one text"),
    (pairs(1, key(LIST, pack("<IQ", LIST, 1), pack("<IQ", LIST, 1))), "a list of values of type 9"),
    (pairs(1, key(13)), "of type 13, which is unknown"),
    (pairs(2, key(7, b"\1"), key(7, b"\1")), "the key 'tokenizer.x' twice"),
    (pairs(1, key(TEXT, pack("<Q", 1), b"\xff")), "not a text in UTF-8"),
    (pairs(MAX_PAIRS), "it is not whole"),
]


@pytest.mark.parametrize(("content", "reason"), BOMBS, ids=[reason for _, reason in BOMBS])
def test_a_length_is_held_to_its_limit_before_anything_is_made_of_it(content, reason):
    tracemalloc.start()
    try:
        with pytest.raises(FormatError) as caught:
            opened(content)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    assert reason in str(caught.value)


def test_the_texts_of_all_lists_count_together(monkeypatch):
    two = key(LIST, pack("<IQ", TEXT, 2), bytes(16)), key(LIST, pack("<IQ", TEXT, 2), bytes(16), name=b"other")
    assert len(header_of(BytesIO(pairs(2, *two)))) == len(pairs(2, *two))
    monkeypatch.setattr("bpe_core.files.gguf_header.MAX_TEXTS", 3)
    with pytest.raises(FormatError, match="more than 3 texts"):
        header_of(BytesIO(pairs(2, *two)))


def test_a_damaged_header_is_opened_or_refused_in_one_sentence():
    content, chance = of_bytes(SMALL, "gpt-2"), Random(1)
    ended = set()
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(4, len(damaged))
            damaged[at : at + chance.randint(1, 8)] = chance.randbytes(chance.randint(0, 8))
        try:
            opened(bytes(damaged)).ids("the tale")
            ended.add("opened")
        except FormatError as error:
            ended.add(f"refused, in {str(error).count(chr(10)) + 1} line")
    assert ended == {"opened", "refused, in 1 line"}

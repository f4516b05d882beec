"""Published results that must come out. Each test names the text that published them."""

from typing import ClassVar

import pytest

from bpe_core import UNKNOWN, Settings, SettingsError, train, train_counts

SELENE = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3 + "longer"


def merges(run):
    """The merges with the marker drawn `_` and the space `␣`, as they are printed."""
    return [f"{show(merge.left)} {show(merge.right)}" for merge in run.merges]


def show(token: bytes, glyph: str = "_") -> str:
    return token.replace(b"\xff", glyph.encode()).decode().replace(" ", "␣")


class TestSeleneNotebook:
    """The SELENE BPE notebook: characters, words cut at white space."""

    settings: ClassVar = Settings("whitespace", "characters", "end", vocab_size=21)

    def test_first_pair_counts(self):
        counts: ClassVar = {f"{show(a)} {show(b)}": n for a, b, n in train(SELENE, self.settings).pair_counts(0)}
        expected = (
            "l o 8, o w 7, w _ 5, w e 8, e r 3, r _ 3, n e 6, e w 6, e s 9, s t 9, t _ 9, w i 3, i d 3, d e 3, "
            "o n 1, n g 1, g e 1"
        )
        assert counts == {row[:3]: int(row[4:]) for row in expected.split(", ")}

    def test_nine_merges(self):
        run = train(SELENE, self.settings)
        assert run.base == 12
        assert merges(run) == ["e s", "es t", "est _", "l o", "lo w", "n e", "ne w", "new est_", "low _"]
        assert run.merges[0].tied == 3
        assert {" ".join(map(show, tokens)): count for tokens, count in run.words(9)} == {
            "w i d est_": 3,
            "lo n g e r _": 1,
            "low e r _": 2,
            "newest_": 6,
            "low_": 5,
        }

    def test_encoding_and_back(self):
        text = "newer longest knew ingest belong newest"
        encoding = train(SELENE, self.settings).tokenizer().encode(text)
        expected = "new e r _ lo n g est_ k new _ i n g est_ b e lo n g _ newest_"
        assert " ".join(map(show, encoding.tokens)) == expected
        assert [show(t) for t, i in zip(encoding.tokens, encoding.ids, strict=True) if i == UNKNOWN] == ["k", "b"]
        assert b"".join(encoding.tokens).replace(b"\xff", b" ").decode().strip() == text

    def test_marker_at_the_start_with_corpus_order(self):
        run = train(SELENE, Settings("gpt2-notebook", "characters", "start", "corpus-order", vocab_size=10_000))
        expected = (
            "e s,es t,Ġ l,Ġl o,Ġlo w,Ġ n,Ġn e,Ġne w,Ġnew est,Ġ w,e r,Ġw i,Ġwi d,Ġwid est,Ġlow er,Ġlo n,Ġlon g,Ġlong er"
        )
        assert [f"{show(m.left, 'Ġ')} {show(m.right, 'Ġ')}" for m in run.merges] == expected.split(",")
        assert len(run.vocabulary(18)) == 30
        assert all(len(tokens) == 1 for tokens, _ in run.words(18))
        assert run.stop_reason == "no pairs left"

    def test_first_seen_puts_e_r_before_the_marked_w(self):
        run = train(SELENE, Settings("gpt2-notebook", "characters", "start", vocab_size=10_000))
        order = merges(run)
        assert order.index("e r") < order.index("_ w")

    def test_simplified_pattern(self):
        pieces = Settings("gpt2-notebook").splitter.strings("Hello've world123 how's are you!!!? ")
        assert pieces == ["Hello", "'ve", "world", "123", "how", "'s", "are", "you", "!!!?"]


class TestByteLevelTokenizer:
    """The byte-level tokenizer: bytes, GPT-2's pattern, the greatest pair wins a tie."""

    def test_merges(self):
        counts: ClassVar = {" low": 5, " lower": 2, " widest": 3, " newest": 6}
        run = train_counts(counts, Settings(tie_rule="greatest", vocab_size=266))
        expected = "s t,e st,o w,l ow,␣ low,w est,n e,ne west,␣ newest,w i"
        assert merges(run) == expected.split(",")

    def test_cut(self):
        assert Settings().splitter.strings("Hello, 🌍! 你好!") == ["Hello", ",", " 🌍!", " 你好", "!"]

    def test_special_token_is_never_split(self):
        run = train("a <|endoftext|> b", Settings(vocab_size=300, special_tokens=("<|endoftext|>",)))
        encoding = run.tokenizer().encode("a<|endoftext|>b", specials=True)
        assert encoding.ids == (97, 256 + run.steps, 98)
        assert encoding.tokens[1] == b"<|endoftext|>"


class TestCompleteGuide:
    """The complete guide: characters, no marker, words given."""

    counts: ClassVar = {"cat": 5, "cats": 2, "eat": 10, "eating": 3, "running": 2, "jumping": 1, "food": 6}

    def test_five_merges_and_encodings(self):
        base = len({letter for word in self.counts for letter in word})
        run = train_counts(self.counts, Settings("whitespace", "characters", vocab_size=base + 5))
        assert merges(run) == ["a t", "e at", "c at", "i n", "in g"]
        tok = run.tokenizer()
        for word, expected in {"eating": "eat ing", "running": "r u n n ing", "skiing": "s k i ing"}.items():
            assert " ".join(map(show, tok.encode(word).tokens)) == expected

    def test_target_below_the_alphabet(self):
        with pytest.raises(SettingsError, match=r"vocab_size 5 is below the .* base symbols"):
            train_counts(self.counts, Settings("whitespace", "characters", vocab_size=5))


class TestHugPug:
    """The hug/pug text: characters."""

    counts: ClassVar = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}

    def test_merges(self):
        run = train_counts(self.counts, Settings("whitespace", "characters", vocab_size=100))
        counts = [(f"{show(m.left)} {show(m.right)}", m.count) for m in run.merges]
        assert counts[:4] == [("u g", 20), ("u n", 16), ("h ug", 15), ("p un", 12)]
        assert run.merges[4].count == 5
        assert run.merges[4].tied == 2

    def test_encoding(self):
        run = train_counts(self.counts, Settings("whitespace", "characters", vocab_size=8))
        tok = run.tokenizer()
        assert tok.encode("bug").tokens == (b"b", b"ug")
        assert tok.encode("mug").ids == (UNKNOWN, run.ids[b"ug"])
        assert tok.encode("mug").spans == ((0, 1), (1, 3))
        assert tok.decode(tok.encode("mug").ids) == "<unk>ug"


class TestNuances:
    """The nuances text: characters, with and without pretokenization."""

    def test_a_token_that_takes_space_and_full_stop(self):
        run = train("my dog. your dog.", Settings("none", "characters", vocab_size=100))
        assert merges(run)[:4] == ["␣ d", "␣d o", "␣do g", "␣dog ."]

    def test_a_token_that_crosses_the_word(self):
        run = train("one dog. one dinosaur. one dingo.", Settings("none", "characters", vocab_size=100))
        assert merges(run)[:4] == ["o n", "on e", "one ␣", "one␣ d"]

    def test_gpt2_can_learn_neither(self):
        cut = Settings("gpt2").splitter.strings
        assert cut("my dog. your dog.") == ["my", " dog", ".", " your", " dog", "."]
        expected = ["one", " dog", ".", " one", " dinosaur", ".", " one", " dingo", "."]
        assert cut("one dog. one dinosaur. one dingo.") == expected
        for text in ("my dog. your dog.", "one dog. one dinosaur. one dingo."):
            tokens = train(text, Settings("gpt2", "characters", vocab_size=100)).tokens
            assert not {b" dog.", b"one d"} & set(tokens)

"""Inside without a browser: the verdict, and the output of each part; no text and no link breaks the page."""

import pytest

from bpe_core import NORMALIZERS, PRETOKENIZERS, Settings, dumps, train
from bpe_core.tokenizer.post_processing import TEMPLATES, process
from pages.parts.pipeline import chosen_parts, decoding, normalization, part_tokens
from pages.parts.texts.corpora import example
from pages.parts.vocabularies.page_vocabulary import of_run, published
from tests.pages.driver import html, in_link, link, open_page, plain, problems, type_text
from tests.pages.session import choose_values
from tests.some import only, some
from tests.texts import NASTY, NASTY_PAGES

PATH = "pages/pipeline.py"
GUIDE = "this sentence's content includes: characters, spaces, and punctuation."


def tables(test):
    return [element.value for element in test.dataframe]


def encode(text, normalizers=(), pretokenizer="own"):
    return chosen_parts.with_parts(published("gpt2"), normalizers, pretokenizer).encode(text, specials=True)


def losses(encoding):
    """Return the sentences about what was lost, each with its explanation."""
    return [
        f"{loss.sentence.replace('[', '').replace(']', '')} {loss.meaning}".strip()
        for loss in decoding.losses(encoding)
    ]


def test_the_first_look_makes_its_point():
    test = open_page(PATH)
    said = html(test)
    assert "Normalization (1) changed 13 characters T, Í, á, N (2 times)" in plain(said)
    assert "punctuation" in said
    text = example("accents").text
    encoding = published("bert").tokenizer.encode(text)
    assert f"{len(encoding.ids)} tokens for {len(encoding.pretokens)} pretokens" in said
    assert tables(test)[-1]["id"].tolist() == [101, *encoding.ids, 102]
    assert "<dt>Comes back</dt>" in said
    assert link(test) == {}
    assert not [button for button in test.button if button.label.startswith("As ")], "they are BERT's own parts"


def test_the_model_and_what_it_gives_back_come_first():
    test = open_page(PATH)
    assert test.selectbox[0].key == "shared.model"
    said = plain(html(test))
    verdict = "Lost: 🦜, 12 spaces. Changed: 13 characters. Put in: spaces between words and signs."
    assert "BERT gives back this · is · an · example · sentence. · isn · ' · t · it? · [UNK]" in said
    assert said.index("BERT gives back") < said.index(verdict) < said.index("Normalization (1)")
    said = plain(html(open_page(PATH, model="gpt2")))
    assert "✓ The text comes back unchanged from GPT-2." in said
    assert "gives back" not in said
    said = plain(html(open_page(PATH, model="gpt2", pretokenizer="bert")))
    assert "GPT-2, with the parts chosen below, gives back" in said
    assert "Lost: 12 spaces." in said
    said = html(open_page(PATH, text="<b>Ünï</b> 🦜 <i>", model="bert"))
    assert "[UNK]" in said
    assert "<b>un" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello world", "✓ The text comes back unchanged from the Train page."),
        ("a 🦜 🦜 É", "a · [UNK] · [UNK] · e Lost: 🦜 (2 times). Changed: 1 character."),
        ("ᚠ ᚢ\t\tᚦ ᚨ ᚱ", "Lost: 5 words, 5 spaces. Changed: 2 characters of white space."),
        ("x" * 101, "[UNK] Lost: 101 characters."),
        ("北京", "The Train page gives back 北 · 京 Put in: spaces between words and signs."),
        ("hi !", "hi! Changed: where the spaces are."),
        ("hi ! a.b", "hi! · a. · b Changed: where the spaces are. Put in: spaces between words and signs."),
        ("   ", "Lost: 3 spaces."),
        ("ab " * 99 + "É", "ab · … Changed: 1 character."),
    ],
)
def test_the_verdict_names_what_was_lost_changed_and_put_in(text, said):
    encoding = published("bert").tokenizer.encode(text)
    verdict = plain(decoding.verdict(encoding, "the Train page"))
    assert said in verdict
    assert ("Put in" in verdict) == ("Put in" in said)


def test_half_a_character_comes_back_as_other_characters():
    encoding = published("o200k_base").tokenizer.encode("a \ud800")
    assert "Changed: characters." in plain(decoding.verdict(encoding, "GPT-4o"))
    assert "Some characters come back as others." in plain(decoding.drawing(encoding))


def test_a_model_is_chosen_with_its_own_stages():
    test = open_page(PATH, model="gpt2")
    assert (test.multiselect[0].value, link(test)) == ([], {"model": "gpt2"})
    test.selectbox(key="shared.model").set_value("qwen").run()
    assert (test.multiselect[0].value, link(test)) == (["nfc"], {"model": "qwen"})
    test.selectbox(key="shared.model").set_value("bert").run()
    assert link(test) == {}
    chosen = {"model": "gpt2", "normalizers": "bert", "template": "bert"}  # BERT's, which the page begins with
    assert link(open_page(PATH, **chosen)) == chosen, "a link's own stays"


def test_what_bert_cannot_write_is_struck_through_and_counted():
    said = html(open_page(PATH, text="unaffable 🦜 🦜"))
    assert "2 pieces of the text are lost WordPiece loses a whole word if no token fits" in plain(said)
    assert said.count('<span class="token unknown"') == 4, "in the model's part and after it"
    assert '<span class="mark">##</span>ffa' in said
    assert "The model (3) loses 2 words WordPiece loses a whole word" in plain(said)
    assert "100 characters. : 🦜, 🦜." in plain(said), "which words, is seen without a look at the explanation"


def test_the_guide_s_offsets_are_in_the_table():
    """The complete guide's example: BERT's split, with offsets."""
    test = open_page(PATH, text=GUIDE, pretokenizer="bert", normalizers="")
    rows = tables(test)[0][["pretoken", "start", "end"]].values.tolist()
    assert rows == [
        ["this", 0, 4], ["sentence", 5, 13], ["'", 13, 14], ["s", 14, 15], ["content", 16, 23], ["includes", 24, 32],
        [":", 32, 33], ["characters", 34, 44], [",", 44, 45], ["spaces", 46, 52], [",", 52, 53], ["and", 54, 57],
        ["punctuation", 58, 69], [".", 69, 70],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "cut"),
    [
        ("whitespace", ["this", "sentence's", "content", "includes:"]),
        ("gpt2", ["this", "·sentence", "'s", "·content", "·includes", ":"]),
        ("metaspace", ["·this", "·sentence's", "·content"]),
    ],
)
def test_the_guide_s_cuts(key, cut):
    table = tables(open_page(PATH, text=GUIDE, pretokenizer=key, normalizers="", model="gpt2"))[0]
    assert table["pretoken"].tolist()[: len(cut)] == cut


def test_what_is_only_added_is_not_lost():
    """BERT's normalizer puts spaces around Chinese characters, and removes accents."""
    shown = html(open_page(PATH, text="Café 日本", normalizers="bert", pretokenizer="gpt2", model="gpt2"))
    assert "Normalization (1) changed 2 characters C, é" in plain(shown)
    shown = html(open_page(PATH, text="日本", normalizers="bert", pretokenizer="gpt2", model="gpt2"))
    assert "Nothing was lost; what comes back has spaces that were not typed." in shown
    shown = html(open_page(PATH, text="this", normalizers="", pretokenizer="metaspace", model="gpt2"))
    assert "what comes back has spaces that were not typed" in shown
    assert "changes nothing here" in html(open_page(PATH, text="plain", normalizers="nfc lowercase"))


def test_where_the_second_text_begins_is_marked():
    pair = {"text": "a question", "second": "an answer", "normalizers": "", "model": "cats-eat"}
    shown = html(open_page(PATH, template="none", **pair))
    assert shown.count(" Text B: ") == 1
    assert "no border between the two texts" in shown
    separated = html(open_page(PATH, template="bert", **pair))
    assert " Text B: " not in separated
    assert "no border" not in separated


def test_what_the_model_does_not_know_is_seen():
    shown = html(open_page(PATH, text="hat", model="cats-eat", normalizers="", template="none"))
    assert '"token unknown"' not in shown, "a vocabulary of bytes knows everything"
    test = open_page("pages/train.py", corpus="hug-pug-pun", step="2", marker="none")
    test.switch_page(PATH).run()
    type_text(test, "mug")
    choose_values(test, {"pipeline.model": "trained", "pipeline.normalizers": [], "pipeline.template": "none"})
    test.run()
    assert not test.exception
    assert "1 piece of the text is lost The vocabulary cannot write what is struck through." in plain(html(test))
    assert html(test).count("<sub>unknown</sub>") == 2, "in the model's part and behind it"


def test_every_pretokenizer_and_normalizer_and_template():
    for pretokenizer in PRETOKENIZERS:
        assert not open_page(PATH, pretokenizer=pretokenizer).exception
    for normalizer in NORMALIZERS:
        assert not open_page(PATH, normalizers=normalizer).exception
    for template in TEMPLATES:
        assert not open_page(PATH, template=template, second="and more").exception


# A browser sends no lone surrogates.
@pytest.mark.parametrize("text", only(NASTY_PAGES, NASTY_PAGES[1], NASTY_PAGES[-1]))
def test_nasty_texts(text):
    test = open_page(PATH, pretokenizer="bert", template="bert")
    type_text(test, text)
    type_text(test, text, "pipeline.second box")
    test.selectbox(key="shared.model").set_value("trained").run()
    assert not test.exception
    assert not problems(test)
    assert "<script" not in html(test)
    assert link(test).get("text", "") == text or not in_link(text)


def test_markup_is_shown_as_typed():
    said = html(open_page(PATH, text="<b>&\"'</b>", normalizers="nfc"))
    assert "&lt;b&gt;&amp;" in said
    assert "<b>&" not in said


def test_a_link_restores_everything():
    query = {
        "text": "Ünï",
        "second": "co",
        "normalizers": "bert nfkc",
        "pretokenizer": "digits",
        "model": "my-dog",
        "template": "endoftext",
    }
    test = open_page(PATH, **query)
    assert link(test) == query
    assert test.multiselect(key="pipeline.normalizers").value == ["bert", "nfkc"]
    assert test.selectbox(key="pipeline.pretokenizer").value == "digits"


@pytest.mark.parametrize("query", [{"normalizers": "nfx"}, {"template": "<b>"}, {"model": "gpt9"}, {"step": "1"}])
def test_nonsense_in_a_link_is_said(query):
    test = open_page(PATH, **query)
    assert len(problems(test)) == 1
    assert not test.exception


def test_no_normalizer_is_a_choice_that_travels():
    test = open_page(PATH)
    test.multiselect(key="pipeline.normalizers").set_value([]).run()
    assert link(test) == {"normalizers": ""}
    assert "The text stays as it is" in html(test)
    assert "Decodes back to exactly your text" in html(open_page(PATH, model="gpt2"))


def test_a_pair():
    test = open_page(PATH, text="a b", second="c", template="bert", model="trained")
    ids = tables(test)[-1]
    assert ids["token"].tolist() == ["[CLS]", "a", "_", "b", "_", "[SEP]", "c", "_", "[SEP]"]
    assert ids["type"].tolist() == [0] * 6 + [1] * 3
    assert ids["text"].tolist() == ["", "A", "A", "A", "A", "", "B", "B", ""]
    said = html(test)
    assert "Text A" in said
    assert "This vocabulary has no [CLS] and no [SEP], so there is no id for them. Add them on the Train page" in said


def test_special_tokens_of_the_train_page_are_used():
    test = open_page("pages/train.py", specials="[CLS] [SEP]")
    test.switch_page(PATH).run()
    test.selectbox(key="shared.model").set_value("trained").run()
    (template,) = [box for box in test.selectbox if box.label == "Template"]
    template.set_value("bert").run()
    assert "has no [CLS]" not in html(test)
    assert tables(test)[-1]["id"].iloc[[0, -1]].notna().all()


def test_what_does_not_fit_is_said():
    said = html(open_page(PATH, pretokenizer="bert", model="gpt2"))
    assert "This vocabulary was learnt on text split by “GPT-2”; “BERT” throws away the spaces that many" in said
    assert "Pretokenization (2) threw away 12 characters of white space." in said
    assert "Dashed: thrown away." in said
    assert "Dashed: thrown away." not in html(open_page(PATH, model="gpt2")), "its split keeps every character"
    run = train("hug pug", Settings("gpt2", "characters", vocab_size=9, normalizers=("bert",)))
    vocabulary = of_run("trained", "x", run, "x", "_")
    tokenizer = chosen_parts.with_parts(vocabulary, (), "cl100k")
    assert list(chosen_parts.mismatches(vocabulary, tokenizer)) == [
        "This vocabulary was learnt on text normalized by BERT: other text may need more tokens.",
        "This vocabulary was learnt on text split by “GPT-2”; "
        "split by “GPT-4 (cl100k)”, the text may need more tokens.",
    ]
    assert losses(tokenizer.encode("hüg")) == ["The model (3) does not know 1 character: ü."]


def test_what_was_lost_is_told_in_sentences_under_the_text_as_it_was_typed():
    drawn = decoding.drawing(encode("É a", ("bert",), "bert"))
    went, _, said = drawn.partition("</dd>")
    said = plain(said)
    assert "<dt>Went in</dt>" in went
    assert "É·a" in went.replace('<span class="mark">', "").replace("</span>", "")
    assert not any(mark in drawn for mark in ("<del", "<sup"))
    assert "Normalization (1) changed 1 character É" in said
    assert "Pretokenization (2) threw away 1 character of white space." in said


def test_what_decoding_names_is_what_the_parts_above_show():
    """All white space between the pretokens of part 2 is counted; a lost word is named as part 3 has it, whole."""
    encoding = published("bert").tokenizer.encode(example("accents").text)
    assert "Pretokenization (2) threw away 12 characters of white space." in losses(encoding)
    encoding = published("bert").tokenizer.encode("मुझे \n नींद\t आ")
    parts = [part_tokens.pretokens(encoding, "text A"), part_tokens.tokens(encoding, "text A", "")]
    assert all("मझ" in drawn for drawn in parts)
    said = " ".join(losses(encoding))
    assert "The model (3) loses 1 word: मझ. WordPiece" in said
    assert "Pretokenization (2) threw away 5 characters of white space." in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("北京", decoding.ADDED_SPACES),  # comes back as 北 京
        ("hi !", "Nothing was lost but where the spaces are."),
        ("hi  北京", "Pretokenization (2) threw away 2 characters of white space."),
    ],
)
def test_spaces_that_a_normalizer_puts_around_a_character_are_not_called_lost(text, said):
    encoding = published("bert").tokenizer.encode(text)
    assert losses(encoding)[0] == said
    assert [*decoding.left_out(encoding)], "drawn as thrown away all the same"


def test_marks_of_normalization():
    shown = normalization.drawing(encode("É\0", ("nfd", "bert")))
    rows = shown.split("<dt>")[1:]
    assert "<ins>" not in rows[0]
    assert rows[1].count("<ins>") == 2  # the letter, and the accent that BERT removes
    assert "◌\u0301" in rows[1]
    assert rows[1].count("<del>") == 2  # the accent, and NUL
    assert "<ins>e</ins>" in rows[2]
    assert "<ins>" in normalization.drawing(encode("中", ("bert",)))
    assert "<ins>中" not in normalization.drawing(encode("中", ("bert",)))


def test_the_legend_names_the_marks_that_are_on_the_screen():
    marks = {("bert",): "Underlined: new.", ("nfd", "bert"): "Underlined: new. Struck through: removed next."}
    assert all(normalization.legend([encode("É", keys)]) == legend for keys, legend in marks.items())
    assert normalization.legend([encode("a", ("bert",)), encode("a\0", ("bert",))]) == "Struck through: removed next."
    assert normalization.legend([encode("a", ("bert",))]) == ""


def test_special_tokens_in_the_text_are_not_normalized():
    said = normalization.drawing(encode("A<|endoftext|>B", ("lowercase",)))
    assert "&lt;|endoftext|&gt;" in said.split("<dt>")[2]


def test_a_space_too_many_is_said():
    run = train("low lower", Settings("whitespace", "characters", "end", vocab_size=20))
    tokenizer = chosen_parts.with_parts(of_run("x", "x", run, "x", "_"), (), "bert")
    assert "puts a space after" in " ".join(losses(tokenizer.encode("low.")))
    assert "puts a space after" not in " ".join(losses(tokenizer.encode("low low")))


@pytest.mark.parametrize("text", some(NASTY))
def test_the_parts_take_any_text(text):
    encoding = encode(text, ("bert", "nfkc"), "bert")
    rows = process(TEMPLATES["bert"], {}, encoding, encode(text))
    for made in (
        normalization.drawing(encoding),
        part_tokens.pretokens(encoding, "text A"),
        part_tokens.tokens(encoding, "text A", "_"),
        part_tokens.processed(rows, "_"),
        decoding.drawing(encoding),
        decoding.verdict(encoding, "BERT"),
    ):
        made.encode("utf-8")
    assert len(part_tokens.id_table(rows, "_")) == len(rows)
    assert len(part_tokens.pretoken_table(encoding)) == len(encoding.pretokens)
    part_tokens.id_table(rows, "_").to_csv().encode("utf-8")


@pytest.mark.parametrize(("text", "said"), [("", "The page shows “Accents"), ("\n\t", "Your text: 2 characters.")])
def test_an_empty_box_shows_the_example_and_white_space_itself(text, said):
    test = type_text(open_page(PATH), text)
    assert not test.exception
    assert said in html(test)


def test_a_long_text_is_cut_and_says_so():
    test = open_page(PATH)
    type_text(test, "ab cd " * 5_000)
    said = html(test)
    assert "The text is long: these are its first 10,000 characters." in said
    assert "… the first 400 of 10,000 characters" in said
    assert not test.exception


def test_a_file_to_open_is_asked_for():
    test = open_page(PATH, model="file")
    assert not test.exception
    said = "The tokenizer's file is not open here: open it again, since neither a link nor a reload keeps it."
    assert problems(test) == [f"{said} Showing GPT-2 instead."]
    assert f"{len(encode(example('accents').text).ids)} tokens for 13 pretokens" in html(test)


def test_an_opened_tokenizer_is_used():
    tok = train("hug pug hug", Settings("gpt2", vocab_size=258, normalizers=("bert",))).tokenizer()
    files = dumps(tok)
    test = open_page(PATH, model="file", text="HUG", normalizers="")
    test.file_uploader(key="pipeline.files").set_value(
        [(name, raw, "application/json") for name, raw in files.items()]
    ).run()
    assert not test.exception
    assert "1 token for 1 pretoken" in html(test)  # its library normalizes HUG


def test_a_file_that_is_opened_after_a_wrong_one_opens_without_a_complaint():
    wrong, right = {"a.json": b'{"foo": 1}'}, dumps(train("hug", Settings(vocab_size=257)).tokenizer())
    test = open_page(PATH, model="file", text="hug")
    for files in (wrong, wrong | right):
        rows = [(name, raw, "application/json") for name, raw in files.items()]
        test.file_uploader(key="pipeline.files").set_value(rows).run()
    assert not problems(test)
    assert "257 tokens from tokenizer.json" in html(test)

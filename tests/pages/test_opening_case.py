"""What a page shows until the visitor or a link has chosen: your text as its own case, or an example."""

from html import unescape

import pytest

from bpe_core.chat.templates import Turn, read_turns
from pages.parts.state.chat_values import EXAMPLE_TURNS
from pages.parts.state.tokens_state import Tokens
from pages.parts.tokens.letters_view import shown_word
from tests.pages.driver import html, link, open_page, sent, type_text, visit, visit_former
from tests.pages.session import choose_values, key_of, typed_before
from tests.some import some

TEXT = "How many plum cakes are unfortunately left?"
SYSTEM, ASKED = "Answer in one sentence.", "How many r are in strawberry?"  # the turns of the first example
WHY_QWEN = (
    "Until you choose a tokenizer, this page shows Qwen: its chat template is published, and that of GPT-4o is not."
)
CHAT = "pages/chat.py"


def turns(at) -> list[str]:
    """Return the contents of the turns as they are in their boxes."""
    return [box.value for box in at.text_area if box.label.startswith("Turn ")]


def tokenizer(at) -> str:
    return at.selectbox(key=key_of(at, "shared.tokenizer")).value


def box(at, begin: str):
    return next(each for each in at.text_area if each.label.startswith(begin))


def in_view(at, view: str):
    choose_values(at, {"chat.view": view})
    at.run()
    assert not at.exception
    return at


def test_a_chat_has_your_text_and_a_model_whose_template_is_published():
    at = type_text(open_page(), TEXT)
    at.switch_page(CHAT).run()
    assert (turns(at), tokenizer(at)) == ([SYSTEM, TEXT], "qwen")
    assert link(at) == {"text": TEXT}, "nobody has chosen the turns or the tokenizer"
    assert unescape(html(at)).count(WHY_QWEN) == 1
    at.switch_page("app.py").run()
    assert tokenizer(at) == "o200k_base", "only Chat begins with another"
    type_text(at, "Another text").switch_page(CHAT).run()
    assert turns(at) == [SYSTEM, "Another text"]


@pytest.mark.parametrize("text", ["", " \n", "[15496, 995, 0]"])
def test_what_says_nothing_and_a_list_of_ids_are_no_turn_of_a_chat(text):
    assert turns(visit({}, typed_before(text), "chat")) == [SYSTEM, ASKED]


@pytest.mark.parametrize("view", ["tokens", "requests", "tools"])
def test_your_own_turns_stay_in_every_view(view):
    at = visit({"view": view, "turns": '[["user","Hi"]]'}, typed_before(TEXT), "chat")
    assert turns(at) == ["Hi"]
    assert "find_trains" not in html(at), "the tools are the example's"
    assert link(at)["turns"] == '[["user","Hi"]]'


@pytest.mark.parametrize(("view", "drawn"), [("requests", "<strong>Request 3</strong>"), ("tools", "The 2 tools take")])
def test_requests_and_tools_open_on_an_example_that_gives_way_to_what_is_pasted(view, drawn):
    at = in_view(visit({}, typed_before(TEXT), "chat"), view)
    assert drawn in html(at)
    assert html(at).count("An example: paste") == 1
    assert "turns" not in link(at)
    assert turns(in_view(at, "tokens")) == [SYSTEM, TEXT], "the example is of two views only"
    assert not any("find_trains" in each.value for each in at.text_area)
    in_view(at, view)
    box(at, "JSON").set_value('[["user", "Hi"]]').run()
    at.button(key="chat.show pasted").click().run()
    assert drawn not in html(at)
    assert "An example: paste" not in html(at)
    assert link(at)["turns"] == '[["user","Hi"]]'


def test_a_turn_of_the_example_is_edited_and_the_others_and_the_tools_stay():
    at = visit({"view": "tools"}, page="chat")
    box(at, "Turn 1").set_value("Is there a night train to Rome?").run()
    example = read_turns(EXAMPLE_TURNS)
    assert read_turns(link(at)["turns"]) == (Turn("user", "Is there a night train to Rome?"), *example[1:])
    assert "The 2 tools take" in html(at)
    box(at, "Tools as JSON").set_value('[{"name": "clock", "description": "Tells the time."}]').run()
    assert "This tool takes" in html(at)
    assert read_turns(link(at)["turns"])[0].content == "Is there a night train to Rome?"


def test_tools_of_the_example_are_replaced_and_its_turns_stay():
    at = visit({"view": "tools"}, page="chat")
    box(at, "Tools as JSON").set_value('[{"name": "clock", "description": "Tells the time."}]').run()
    assert "This tool takes" in html(at)
    assert read_turns(link(at)["turns"]) == read_turns(EXAMPLE_TURNS)


def test_a_second_edit_before_the_first_is_answered_is_not_lost():
    at = visit({}, typed_before(TEXT), "chat")
    keys = [each.key for each in at.text_area if each.label.startswith("Turn ")]
    box(at, "Turn 1").set_value("Be brief.")
    box(at, "Turn 2").set_value("First").run()
    assert [each.content for each in read_turns(link(at)["turns"])] == ["Be brief.", "First"]
    assert [each.key for each in at.text_area if each.label.startswith("Turn ")] == keys, "what is typed next arrives"
    box(at, "Turn 2").set_value("Second").run()
    assert turns(at) == ["Be brief.", "Second"]


def test_each_page_begins_with_its_tokenizer_until_one_is_chosen_which_all_pages_share():
    at = open_page()
    for path, first in (("app.py", "o200k_base"), (CHAT, "qwen"), ("pages/files.py", "o200k_base")):
        at.switch_page(path).run()
        assert tokenizer(at) == first
        assert "tokenizer" not in link(at)
    at.selectbox(key=key_of(at, "shared.tokenizer")).set_value("tekken").run()
    for path in ("app.py", CHAT, "pages/tokenizers.py"):
        at.switch_page(path).run()
        assert (tokenizer(at), link(at)["tokenizer"]) == ("tekken", "tekken")
    at.switch_page("pages/pipeline.py").run()
    assert link(at)["model"] == "tekken"
    assert WHY_QWEN not in unescape(html(at.switch_page(CHAT).run()))
    at.selectbox(key=key_of(at, "shared.tokenizer")).set_value("qwen").run()
    assert WHY_QWEN not in unescape(html(at)), "chosen by hand"
    at.switch_page("app.py").run()
    assert tokenizer(at) == "qwen"
    assert WHY_QWEN not in unescape(html(visit({"tokenizer": "qwen"}, page="chat"))), "chosen by a link"


def test_letters_has_the_longest_word_of_your_text_until_a_word_is_chosen():
    assert shown_word(Tokens()) == shown_word(Tokens(corpus="own", text="1 2")) == "strawberry"
    at = visit({"view": "letters", "tokenizer": "gpt2"}, typed_before(TEXT))
    assert "“unfortunately” has “r” once" in html(at)
    assert link(at) == {"view": "letters", "tokenizer": "gpt2", "text": TEXT}
    at = visit({"view": "letters", "tokenizer": "gpt2"}, typed_before("a sentence"))
    assert "“sentence” has “e” 3 times" in html(at), "a letter that the word has"
    assert "letter" not in link(at), "another text has another word, with a letter of its own"
    at.text_input(key="tokens.word").set_value("plum").run()
    assert (link(at)["word"], "“plum” has" in html(at)) == ("plum", True)


def test_the_end_of_a_prompt_is_where_a_token_is_cut_unless_it_was_moved():
    query = {"view": "prompt", "tokenizer": "cl100k_base", "text": "plum cakes, return 3.14159"}
    at = visit(query)
    prompt, whole = (row["tokens"][-1] for row in sent(at)["rows"])
    assert prompt[:2] != whole[:2]
    assert sent(at)["end"] == len("plum cakes, return 3.14159") - 1
    assert sent(visit(query | {"end": "3"}))["end"] == 3


def test_a_vocabulary_begins_with_a_word_of_your_text_and_then_the_longest_tokens():
    at = visit({"tokenizer": "gpt2"}, typed_before("a lighthouse"), "tokenizers")
    shown = at.dataframe[0].value
    has = shown["token"].str.contains("lighthouse", case=False).tolist()
    assert has == sorted(has, reverse=True)
    assert has[0]
    lengths = shown["length"].tolist()[has.index(False) :]
    assert lengths == sorted(lengths, reverse=True)
    assert "order" not in link(at)


OLD = {
    "chat": ({"turns": "first"}, lambda at: turns(at) == [SYSTEM, ASKED]),
    "letters": ({"view": "letters", "word": "strawberry"}, lambda at: "“strawberry” has “r” 3 times" in html(at)),
    "vocabulary": ({"order": "id"}, lambda at: at.dataframe[0].value["id"].tolist()[:3] == [0, 1, 2]),
    "prompt": ({"view": "prompt", "cut": "no"}, lambda at: sent(at)["end"] == len("how ")),
}


@pytest.mark.parametrize("view", some(list(OLD), 4))
def test_an_old_link_to_a_view_shows_what_it_always_showed(view):
    given = {"tokenizer": "gpt2", "text": "how unfortunately"}
    now, shows = OLD[view]
    at = visit_former({"view": view, **given})
    assert link(at) == given | now
    assert shows(at)


def test_a_choice_of_a_view_and_a_question_open_on_a_case():
    at = visit({"tokenizer": "gpt2", "text": "how unfortunately"})
    at.segmented_control(key="tokens.view").set_value("why").run()
    assert "“unfortunately” has “r” once" in html(at)
    for asked, page, seen in (
        ("model see of a chat", {}, "&lt;|im_start|&gt;"),
        ("the r’s in strawberry", {"view": "letters", "word": "strawberry"}, "“strawberry” has “r” 3 times"),
        ("Does Hindi cost", {"view": "side-by-side", "compared": "languages"}, "Hindi needs"),
        ("a space at the end", {"view": "prompt"}, "Does the end of a prompt cut a token?"),
    ):
        start = open_page()
        next(button for button in start.button if asked in button.label).click().run()
        assert not start.exception
        assert link(start) == page
        assert seen in html(start)


def test_the_tokens_that_no_text_produces_are_a_click_away():
    at = visit({"tokenizer": "gpt2"}, page="tokenizers")
    assert "cannot be produced by any text" in html(at)
    at.button(key="tokenizers.never").click().run()
    assert link(at)["kind"] == "never"

"""What a view of the Playground opens on if neither the visitor nor a link chose it."""

from dataclasses import replace

import pytest
from pages.parts.state.playground_state import Playground
from pages.parts.tokens.opening_case import why_another_tokenizer, with_case, with_conversation

from bpe_core.chat.templates import Turn, read_turns
from tests.pages.driver import open_page
from tests.pages.session import key_of
from tests.pages.tokens.driver import link_of, said, visit
from tests.some import some

OWN = replace(Playground(), corpus="own", text="How many plum cakes are unfortunately left?")


def test_letters_has_a_word_of_ones_own_text_until_a_word_is_chosen():
    opened = with_case(replace(OWN, view="letters"))
    assert opened.word == "unfortunately"
    other = with_case(replace(opened, text="another sentence"))
    assert (opened.letter, other.word, other.letter) == ("r", "sentence", "e"), "a letter that the word has"
    assert with_case(replace(opened, word="plum")).word == "plum"
    assert with_case(replace(Playground(), view="letters")).word == "strawberry"


def test_a_chat_has_ones_own_text_and_a_model_whose_template_is_published():
    opened = with_case(replace(OWN, view="chat"))
    assert opened.tokenizer == "qwen"
    assert read_turns(opened.turns)[1] == Turn("user", OWN.text)
    assert with_case(replace(opened, view="tokens")).tokenizer == OWN.tokenizer, "only the chat needs another"
    assert with_case(replace(OWN, view="chat", by_hand=True)).tokenizer == OWN.tokenizer
    assert with_case(replace(opened, view="tokens", by_hand=True)).tokenizer == "qwen"
    assert with_case(replace(OWN, view="chat", tokenizer="gpt2")).tokenizer == "gpt2"
    own = replace(OWN, view="chat", turns='[["user","Hi"]]')
    assert with_case(own).turns == own.turns
    assert with_case(replace(Playground(), view="chat")).turns == Playground().turns


def test_a_list_of_ids_is_no_turn_of_a_chat():
    ids = replace(OWN, view="chat", text="[15496, 995, 0]")
    assert with_case(ids).turns == Playground().turns


@pytest.mark.parametrize(
    ("shows", "drawn"), [("requests", "<strong>Request 3</strong>"), ("tools", "The 2 tools take")]
)
def test_requests_and_tools_open_on_an_example_that_gives_way_to_what_is_pasted(shows, drawn):
    at = visit({"view": "chat", "tokenizer": "qwen"})
    at.button_group(key=key_of(at, "playground.chat_shows")).set_value(shows).run()
    assert drawn in said(at)
    assert said(at).count("An example: paste") == 1
    next(box for box in at.text_area if "JSON" in box.label).set_value('[["user", "Hi"]]').run()
    at.button(key="playground.show pasted").click().run()
    assert drawn not in said(at)
    assert "An example: paste" not in said(at)
    assert link_of(at)["turns"] == '[["user","Hi"]]'


def test_an_example_goes_when_the_chat_shows_all_tokens_again():
    first = with_case(replace(OWN, view="chat"))
    example = with_conversation(replace(first, chat_shows="tools"))
    assert "find_trains" in example.tools
    assert with_conversation(replace(example, chat_shows="tokens")).turns == first.turns
    own = replace(first, turns='[["user","Hi"]]', tools="[]", chat_shows="tools")
    assert with_conversation(own) == own


def test_a_chat_says_why_it_opened_with_another_tokenizer_until_one_is_chosen():
    why = "OpenAI has not published GPT-4o’s chat template: this opens with Qwen."
    opened = with_case(replace(Playground(), view="chat"))
    assert why_another_tokenizer(opened) == why
    for chosen in ({"by_hand": True}, {"tokenizer": "gpt2"}, {"chat_template": "chatml"}, {"cases": ()}):
        assert why_another_tokenizer(replace(opened, **chosen)) == ""
    at = visit()
    at.button_group[0].set_value("chat").run()
    assert (link_of(at)["tokenizer"], said(at).count(why)) == ("qwen", 1)
    for chosen in ("tekken", "qwen"):
        at.selectbox(key=key_of(at, "playground.tokenizer")).set_value(chosen).run()
    assert why not in said(at), "chosen by hand"
    assert why not in said(visit({"view": "chat", "tokenizer": "qwen"})), "chosen by a link"


def test_the_end_of_a_prompt_is_where_a_token_is_cut_unless_it_was_moved():
    assert with_case(replace(OWN, view="prompt")).cut
    assert not with_case(replace(OWN, view="prompt", end=3)).cut


def test_a_vocabulary_begins_with_its_longest_tokens_once():
    opened = with_case(replace(Playground(), view="vocabulary"))
    assert opened.order == "length"
    assert with_case(replace(opened, order="id")).order == "id"


@pytest.mark.parametrize("view", some(["chat", "letters", "vocabulary", "prompt"], 2))
def test_a_link_to_a_view_shows_what_it_always_showed(view):
    at = visit({"view": view, "tokenizer": "gpt2", "text": "unfortunately"})
    assert link_of(at) == {"view": view, "tokenizer": "gpt2", "text": "unfortunately"}


def test_a_choice_of_a_view_and_a_question_on_the_start_page_open_on_a_case():
    at = visit({"tokenizer": "gpt2", "text": "how unfortunately"})
    at.button_group[0].set_value("letters").run()
    assert link_of(at)["word"] == "unfortunately"
    start = open_page()
    next(button for button in start.button if "model see of a chat" in button.label).click().run()
    assert "<|im_start|>".replace("<", "&lt;").replace(">", "&gt;") in said(start)
    assert link_of(start) == {"tokenizer": "qwen", "view": "chat"}


def test_the_tokens_that_no_text_produces_are_a_click_away():
    at = visit({"tokenizer": "gpt2", "view": "vocabulary"})
    assert "cannot be produced by any text" in said(at)
    at.button(key="playground.never").click().run()
    assert link_of(at)["kind"] == "never"

"""The Hub's real client against a server of ours on this machine."""

import json
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from bpe_core import FormatError, HubError, load, loads
from bpe_core.chat import render
from bpe_core.chat.given_template import FILES, template_of
from bpe_core.files import hub as hub_client
from bpe_core.files.hub import fetch, fetch_files
from tests.files.class_files import TEXTS
from tests.hub import NEXT, SHAPES, TOKENIZER, client, hub


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Calls a function where the client finds this Hub, and gives what it gives."""
    with hub() as address, client(address, tmp_path_factory.mktemp("hub")) as ask:
        yield ask


def answers(*names):
    """What was fetched of each model, file → size, or the sentence that says why nothing was."""

    def answer(name):
        try:
            return {file: len(raw) for file, raw in fetch(name).items()}
        except HubError as error:
            return str(error)

    return list(map(answer, names))


def test_a_model_s_tokenizer_and_every_way_in_which_it_cannot_be_had(ask):
    names = [f"owner/{name}" for name in ("whole", "pair", "gated", "none", "missing", "huge", "broken")]
    whole, pair, gated, none, missing, huge, broken = ask(answers, *names)
    assert whole == {"tokenizer.json": len(TOKENIZER)}
    assert pair == {"vocab.json": 8, "merges.txt": 14}
    assert gated.startswith("owner/gated is gated: accept its terms on the Hub")
    assert none.startswith("owner/none has no tokenizer that can be opened: none of tokenizer.json, ")
    assert missing == "There is no model owner/missing on the Hub, or it is private."
    assert huge == "The tokenizer of owner/huge is larger than 64 MB, which is not read."
    assert broken.startswith("The Hub could not give owner/broken now")


def test_files_with_other_names_are_found_by_what_they_are(ask):
    odd, two = ask(answers, "owner/odd", "owner/two")
    assert [*odd] == ["mine.json", "mine.txt"]
    assert two.startswith("Of the files of owner/two there are several tokenizers: one.json, two.json; name a file of")


def ids_of_hug(*names):
    """The ids under each name's tokenizer, or the sentence that says why there are none."""

    def ids(name):
        try:
            return load(name).ids("hug")
        except (FormatError, HubError) as error:
            return str(error)

    return list(map(ids, names))


def test_load_takes_a_model_s_name_where_a_file_would_be(ask):
    names = [f"hub:{name}" for name in ("owner/whole", "owner/gated", "owner/damaged", "a b")]
    whole, gated, damaged, no_name = ask(ids_of_hug, *names)
    assert whole == [257]
    assert gated.startswith("owner/gated is gated: accept its terms on the Hub")
    assert "library tokenizers, for which this file is made" in damaged
    assert no_name.startswith("'a b' is not the name of a model")


def test_of_the_files_that_are_wanted_those_are_fetched_that_a_model_has(ask):
    wanted = ("chat_template.jinja", "tokenizer_config.json")
    for private in (True, False):
        assert ask(fetch_files, "owner/chat", wanted, private).keys() == {"tokenizer_config.json"}
        assert ask(fetch_files, "owner/whole", wanted, private) == {}
    with pytest.raises(HubError, match="no model owner/missing"):
        ask(fetch_files, "owner/missing", wanted)


TURNS, TOOLS = [("user", "hello")], [{"name": "clock", "inputSchema": {}}]


def opened(name, private):
    """What a model's files give: the ids of two texts, what is assumed, and a chat with tools and without."""
    tok, template = loads(fetch(name, private)), template_of(fetch_files(name, FILES, private))
    chats = [render(template, TURNS, tools=tools).text for tools in (TOOLS, [])] if template else []
    return [tok.ids(text, specials=True) for text in (TEXTS[1], "hug<x>")], tok.assumptions, chats


def test_what_stands_beside_a_vocabulary_is_fetched_with_all_templates(tmp_path):
    theirs = json.loads((Path(__file__).parent / "class_ids.json").read_text())
    of_qwen = next(ids[1] for names, ids in theirs.items() if "Qwen2Tokenizer" in names.split())
    with ExitStack() as stays:
        with hub() as address:
            ask = stays.enter_context(client(address, tmp_path))
            found = [ask(opened, "owner/beside", private) for private in (True, False)]
            with_tokenizer_json = ask(opened, "owner/lacking", True)
            with pytest.raises(HubError, match="owner/many has 51 files to fetch, and more than 50 are not fetched"):
                ask(fetch_files, "owner/many", FILES)
        found.append(ask(opened, "owner/beside", True))  # from the cache
    assert found[0] == found[1] == found[2]
    (ids, with_a_token), assumed, chats = found[0]
    assert (ids, with_a_token[-1], assumed) == (of_qwen, NEXT, ())
    assert chats == ["TOOLS hello", "hello"]
    assert with_tokenizer_json[0][1] == [257, 258]


def test_a_path_is_a_file_whatever_its_name(tmp_path, monkeypatch):
    (tmp_path / "hub:owner").mkdir()
    (tmp_path / "hub:owner/model").write_bytes(TOKENIZER)
    monkeypatch.chdir(tmp_path)
    assert load(Path("hub:owner/model")).ids("hug") == [257]


def answers_to_little_memory(*names):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub_client, "MAX_BYTES", len(TOKENIZER) - 1)
        return answers(*names)


def test_a_file_whose_size_is_not_said_is_read_up_to_the_limit(ask):
    (unsized,) = ask(answers, "owner/unsized")
    (refused,) = ask(answers_to_little_memory, "owner/unsized")
    assert unsized == {"tokenizer.json": len(TOKENIZER)}
    assert refused == "The tokenizer of owner/unsized is larger than 0 MB, which is not read."


@pytest.mark.thorough
def test_without_a_network_what_was_fetched_before_is_there_and_the_rest_is_a_sentence(tmp_path):
    with ExitStack() as stays:
        with hub() as address:
            ask = stays.enter_context(client(address, tmp_path))
            fetched = ask(answers, "owner/whole")
        assert ask(answers, "owner/whole", "owner/pair") == [
            *fetched,
            "The Hub cannot be reached from here, so owner/pair could not be fetched.",
        ]


def public_answers(*names):
    """What a server fetches of each model for its visitors, or the sentence that says why nothing."""

    def answer(name):
        try:
            return {file: len(raw) for file, raw in fetch(name, private=False).items()}
        except HubError as error:
            return str(error)

    return list(map(answer, names))


def test_a_server_fetches_without_the_token_and_writes_nothing_to_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with ExitStack() as stays:
        with hub() as address:
            ask = stays.enter_context(client(address, tmp_path))
            assert ask(answers, "owner/private") == [{"tokenizer.json": len(TOKENIZER)}]
            written = sorted(tmp_path.rglob("*"))
            whole, private, gated, endless = ask(
                public_answers, "owner/whole", "owner/private", "owner/gated", "owner/endless"
            )
            assert sorted(tmp_path.rglob("*")) == written
        (unreachable,) = ask(public_answers, "owner/private")
    assert whole == {"tokenizer.json": len(TOKENIZER)}
    assert private == "There is no model owner/private on the Hub, or it is private."
    assert gated == "owner/gated is gated: fetch its files from the Hub yourself, and open them here."
    assert endless == "The tokenizer of owner/endless is larger than 64 MB, which is not read."
    assert unreachable.startswith("The Hub cannot be reached from here")


def answers_to_the_impatient(*names):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub_client, "SECONDS", 0.3)
        patch.setattr(hub_client, "PUBLIC_SECONDS", 0.5)
        patch.setattr(hub_client, "CACHED_SECONDS", 0.5)
        return [*public_answers(*names), *answers(*names)]


def test_a_download_that_stops_or_never_ends_is_a_sentence_in_time(ask):
    """The client alone tries five times for ten seconds where a server is silent, and goes on while a byte arrives."""
    begun = monotonic()
    silent, slow, *with_cache = ask(answers_to_the_impatient, "owner/silent", "owner/slow")
    assert monotonic() - begun < 8  # the server is silent, and slow, for nine seconds
    assert silent == "The Hub cannot be reached from here, so owner/silent could not be fetched."
    assert slow.startswith("The Hub took more than 0 seconds to send owner/slow")
    assert [sentence[:37] for sentence in with_cache] == ["The Hub took more than 0 seconds to s"] * 2


def test_an_answer_of_another_shape_is_a_sentence(ask):
    names = [f"shape/{name}" for name in SHAPES]
    assert ask(answers, *names) == [f"The Hub's answer about {name} cannot be read." for name in names]


@pytest.mark.parametrize("name", ["a b", "../../etc/passwd", "x" * 300, "https://example.com/a/b"])
def test_what_is_no_name_is_not_asked_for(name):
    with pytest.raises(HubError, match="is not the name of a model"):
        fetch(name)

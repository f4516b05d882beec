"""What the commands do: in this process, and where that matters in one of its own."""

import csv
import io
import json
import re
import shlex
import sys
import tomllib
from contextlib import chdir
from pathlib import Path
from subprocess import DEVNULL, PIPE
from urllib.request import urlopen

import numpy as np
import pytest
import tiktoken
import tokenizers

import bpe_core
from bpe_core import PRETOKENIZERS, Settings, dumps, load, train
from bpe_core.cli import grammar, mergescope
from bpe_core.cli.grammar import COMMANDS, parser
from bpe_core.cli.inputs import TOKENIZER
from bpe_core.cli.main import main
from bpe_core.corpus.text_batches import CHUNK
from bpe_core.pictures.saved import saved_page
from tests.children import ran, started
from tests.cli.driver import PLAIN, ROOT, STORY, command, ok, run
from tests.files.class_files import class_files
from tests.hub import hub, places
from tests.some import later
from tests.texts import EXAMPLE_TEXTS, NASTY


def test_train_writes_what_training_gives(tokenizer):
    ours = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=600, special_tokens=("<|end|>",))).tokenizer()
    assert load(tokenizer).merges == ours.merges
    assert tokenizers.Tokenizer.from_file(str(tokenizer)).encode("a tale<|end|>").ids == ours.ids(
        "a tale<|end|>", specials=True
    )


@pytest.mark.thorough
def test_a_model_on_the_hub_is_named_where_a_file_would_be(tmp_path):
    with hub() as address:  # a process of its own: the Hub's client reads the environment once
        there = {**PLAIN, **places(address, tmp_path)}
        found, failed = (
            ran(command("encode", f"hub:owner/{model}"), input=b"hug", capture_output=True, env=there)
            for model in ("whole", "gated")
        )
    assert found.stdout == b"257\n"
    assert failed.returncode == 1
    assert failed.stderr.startswith(b"bpe_core: owner/gated is gated: ")


def test_several_files_standard_input_and_workers_give_the_same(tmp_path):
    whole = Path(STORY).read_bytes()
    (tmp_path / "a").write_bytes(whole[:1000])
    (tmp_path / "b").write_bytes(whole[1000:])
    files = [tmp_path / "a", "-"]
    out = [tmp_path / f"{i}.json" for i in range(3)]
    ok("train", *files, "--vocab-size", 500, "--out", out[0], given=whole[1000:])
    ok("train", tmp_path / "a", tmp_path / "b", "--vocab-size", 500, "--out", out[1], "--workers", 2)
    ok("train", tmp_path / "a", tmp_path / "b", "--vocab-size", 500, "--out", out[2])
    assert out[0].read_bytes() == out[1].read_bytes() == out[2].read_bytes()


def test_train_on_normalized_text(tmp_path):
    (tmp_path / "text").write_text("HÚG hug Pug", encoding="utf-8")
    options = ["--vocab-size", 300, "--normalizers", "bert", "--normalizers", "nfc", "--out", tmp_path / "x.json"]
    ok("train", tmp_path / "text", *options)
    ids = ok("encode", tmp_path / "x.json", given="hÜG".encode())
    assert ok("decode", tmp_path / "x.json", given=ids) == b"hug"


@pytest.mark.parametrize("name", ["x.tiktoken", "x.model", "x-vocab.json", "x.json"])
def test_the_name_chooses_the_format(tmp_path, name):
    done = run("train", STORY, "--vocab-size", 300, "--out", tmp_path / name)
    assert done.returncode == 0
    assert b": 300 tokens, 44 merges, target reached\n" in done.stderr
    assert len(load(tmp_path / name).merges) == 44


def test_decode_undoes_encode_exactly(tokenizer, tmp_path):
    texts = [text.encode("utf-8", "ignore") for text in (*NASTY, *EXAMPLE_TEXTS.values())]
    files = [tmp_path / str(i) for i in range(len(texts))]
    for file, raw in zip(files, texts, strict=True):
        file.write_bytes(raw)
    lines = ok("encode", tokenizer, *files).decode().split("\n")[:-1]
    opened = load(tokenizer)
    assert lines == [" ".join(map(str, opened.ids(raw.decode()))) for raw in texts]
    assert ok("decode", tokenizer, given="\n".join(lines).encode()) == b"".join(texts)
    assert ok("encode", tokenizer, given=texts[-1]).decode().rstrip("\n") == lines[-1]
    assert ok("decode", tokenizer, *lines[-1].split()) == texts[-1]


def test_show_colours_only_where_it_may(tokenizer):
    text = b"The|end\x1b[2J\n"
    plain = ok("show", tokenizer, given=text)
    assert plain.decode() == "The|\\||e|nd|\\x1b|[|2|J|\\n\n"  # neither an escape nor a bar of the text's own
    assert b"\x1b" not in ok("show", tokenizer, given=text, env={"NO_COLOR": "1", "FORCE_COLOR": "1"})
    in_colour = ok("show", tokenizer, given=text, env={"FORCE_COLOR": "1"})
    assert in_colour.startswith(b"\x1b[38;5;16;48;5;159mThe\x1b[0m\x1b[38;5;16;48;5;")
    assert b"\x1b[2J" not in in_colour


def test_steps_as_a_table_and_as_csv():
    merges = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=270)).merges
    rows = list(csv.DictReader(io.StringIO(ok("steps", STORY, "--vocab-size", 270, "--csv").decode())))
    assert [(row["left"], int(row["count"]), int(row["tied"])) for row in rows] == [
        (merge.left.decode(), merge.count, merge.tied) for merge in merges
    ]
    lines = ok("steps", STORY, "--vocab-size", 270).decode().splitlines()
    assert lines[0].split() == ["step", "left", "right", "token", "count", "tied"]
    assert len(lines) == 15


@pytest.mark.parametrize(
    ("kind", "begins"), [("svg", b"<svg"), later(("png", b"\x89PNG")), ("html", b"<!doc"), ("tex", b"% ")]
)
def test_draw(tokenizer, tmp_path, kind, begins):
    out = tmp_path / f"picture.{kind}"
    for arguments, title in (
        (["tokens", tokenizer, STORY], b": The Keeper, the Dog, and the Light"),
        (["token", tokenizer, 286], b": \xc2\xb7dog: id 286\n"),
        (["token", tokenizer, 255], b": FF: id 255\n"),
        (["step", STORY, "--step", 3], b": Step 3 on short-story.txt: \xc2\xb7the\n"),
    ):
        done = run("draw", *arguments, "--out", out)
        assert done.returncode == 0
        assert title in done.stderr
        assert out.read_bytes().startswith(begins)
        out.unlink()


def test_the_site_says_how_to_look_at_it(tmp_path):
    *_, said = run("site", tmp_path / "my site").stderr.decode().splitlines()
    address, pasted = re.fullmatch(r"To look at it on (\S+): (.+)", said).groups()
    unbuffered = {**PLAIN, "PYTHONUNBUFFERED": "1"}
    with started([*shlex.split(pasted), "0"], stdout=PIPE, stderr=DEVNULL, env=unbuffered) as server:
        port = re.search(rb"port (\d+)", server.stdout.readline())[1].decode()  # one that is free, and not 8000
        assert b"Mergescope" in urlopen(address.replace("8000", port), timeout=30).read()
        server.terminate()


def test_a_picture_does_not_take_the_place_of_its_tokenizer(tokenizer, tmp_path):
    own = tmp_path / "tokenizer.html"
    own.write_bytes(Path(tokenizer).read_bytes())
    for arguments in (["tokens", own, STORY], ["token", own, 286]):
        done = run("draw", *arguments, "--out", own)
        assert (done.returncode, own.read_bytes()) == (1, Path(tokenizer).read_bytes())
        assert done.stderr.endswith(b"tokenizer.html is read by this command, and would be overwritten\n")


def test_compare():
    done = run("compare", STORY, "--pretokenizers", "whitespace", "gpt2", "--vocab-size", 400)
    lines = done.stdout.decode().splitlines()
    assert lines[0].split() == ["whitespace", "gpt2"]
    assert next(line for line in lines if line.startswith("merges")).split() == ["merges", "144", "144"]


@pytest.mark.parametrize(
    "name",
    [
        [],
        ["train"],
        ["encode"],
        ["decode"],
        ["show"],
        ["split"],
        ["steps"],
        ["compare"],
        ["convert"],
        ["trim"],
        ["vocab"],
        ["draw"],
    ],
)
def test_help_has_examples(name):
    assert b"examples:\n  " in ok(*name, "--help", encoding="ascii")  # as where LC_ALL is C


def test_a_pair_is_written_to_a_folder(tmp_path):
    ok("train", STORY, "--vocab-size", 300, "--format", "vocab.json + merges.txt", "--out", f"{tmp_path}/")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["merges.txt", "vocab.json"]


def test_a_vocabulary_s_name_is_enough_everywhere(tmp_path):
    assert ok("encode", "gpt-4o", "--count", given=b"The keeper's dog") == b"4\n"
    (found,) = ok("encode", "gpt2", "--json", given="é 🦜".encode()).splitlines()
    assert json.loads(found)["ids"] == [2634, 12520, 99, 250]
    assert ok("vocab", "gpt2", "--search", "<|endoftext|>", "--csv").splitlines()[1:] == [b"50256,<|endoftext|>,13,"]
    assert b"3035" in ok("vocab", "gpt2", "--search", " dog", "--csv").splitlines()[1]
    ok("draw", "tokens", "gpt2", "--text", "a dog", "--no-ids", "--out", tmp_path / "dog.svg")
    assert b">3290<" not in (tmp_path / "dog.svg").read_bytes()


def test_a_token_is_drawn_by_its_id_and_by_its_text(tmp_path):
    trees = [tmp_path / "id.svg", tmp_path / "text.svg"]
    for token, tree in zip(("3290", " dog"), trees, strict=True):
        ok("draw", "token", "gpt2", token, "--out", tree)
    assert trees[0].read_bytes() == trees[1].read_bytes()
    assert (
        b"'xyzzy' is neither an id nor a token"
        in run("draw", "token", "gpt2", "xyzzy", "--out", tmp_path / "new.svg").stderr
    )


def test_a_page_of_standard_input(tmp_path):
    ok("page", "gpt2", "--out", tmp_path / "page.html", given=b"dog")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page == load("gpt2").encode("dog").page("gpt2").html
    assert "<title>A text in the tokens of gpt2</title>" in page  # without a number that the steps would change


def test_pages_and_pictures_name_their_files(tmp_path):
    one, other = tmp_path / "one & two.txt", tmp_path / "other.txt"
    one.write_text("low low lower")
    other.write_text("low")
    for arguments, title in (
        (["film", one], "A training of 5 merges on one & two.txt"),
        (["film", one, other], "A training of 5 merges on one & two.txt and 1 more text"),
        (["film", one, "--beside", "pretokenizer=whitespace"], "GPT-2’s split beside Whitespace, on one & two.txt"),
        (["film", one, "--title", "Low"], "Low"),
        (["film", "-"], "A training of 1 merge"),
        (["page", "gpt2", one], "one & two.txt in the tokens of gpt2"),
        (["page", "gpt2", one, "--title", "Low"], "Low"),
    ):
        done = run(*arguments, "--out", tmp_path / "page.html", "--force", given=b"lo")
        assert done.stderr.decode() == f"{tmp_path / 'page.html'}: {title}\n"
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert f"<h1>{title.replace('&', '&amp;')}</h1>" in page
    ok("draw", "tokens", "gpt2", one, "--title", "--out", tmp_path / "tokens.tex")
    assert "one \\& two.txt: 3 tokens{,} gpt2" in (tmp_path / "tokens.tex").read_text(encoding="utf-8")


def commands_of_texts(tmp_path):
    """Each command that takes `--text`."""
    for number, words in enumerate((["encode"], ["encode", "--count"], ["encode", "--json"], ["show"], ["split"])):
        yield [*words[:1], "gpt2", *words[1:]], None, number
    for number, words in enumerate((["page", "gpt2"], ["draw", "tokens", "gpt2"])):
        out = tmp_path / f"{number}.{'html' if number == 0 else 'svg'}"
        yield [*words, "--force", "--out", out], out, number


def test_a_text_may_be_given_itself_and_not_beside_a_file(tmp_path):
    for words, out, _ in commands_of_texts(tmp_path):
        answers = []
        for more, given in ((["--text", "a dog"], b""), ([], b"a dog"), (["-"], b"a dog")):
            printed = ok(*words, *more, given=given)
            answers.append(out.read_bytes() if out else printed)
        assert answers[0] == answers[1] == answers[2]
        for file in ("no such file", "-"):
            done = run(*words, file, "--text", "a dog")
            assert (done.returncode, done.stdout) == (1, b"")
            assert f"--text gives the text, and {file} is another one" in done.stderr.decode()


def test_the_newline_at_the_end_of_standard_input_counts_as_in_a_file(tmp_path):
    """As `wc -c` and `cat` have it: one rule for every command that takes a text."""
    file = tmp_path / "-.txt"
    file.write_bytes(b"a dog\n")
    for words, out, _ in commands_of_texts(tmp_path):
        answers = []
        for more, given in (([], b"a dog\n"), ([file], b""), ([], b"a dog")):
            printed = ok(*words, *more, given=given)
            answers.append((out.read_bytes() if out else printed).replace(b"-.txt in the", b"A text in the"))
        assert answers[0] == answers[1] != answers[2], words
    assert ok("encode", "gpt2", "--count", given=b"a dog\n") == b"3\n"
    assert ok("count", "--tokenizer", "gpt2", "--csv", given=b"a dog\n").split(b",")[-4].endswith(b"3")


def test_what_a_file_puts_around_a_text_may_be_added():
    bert = load("bert")
    whole = bert.ids("a dog", add_special_tokens=True)
    assert whole == [101, *bert.ids("a dog"), 102]  # [CLS] and [SEP] of Google's vocabulary
    options = ["--text", "a dog", "--add-special-tokens"]
    assert ok("encode", "bert", *options).split() == [b"%d" % i for i in whole]
    assert ok("encode", "bert", *options, "--count") == b"%d\n" % len(whole)
    assert json.loads(ok("encode", "bert", *options, "--json"))["ids"] == whole
    assert b"[CLS]" in ok("show", "bert", *options)
    assert ok("encode", "bert", "--text", "a dog").split() == [b"%d" % i for i in bert.ids("a dog")]


def test_the_ids_of_a_large_text_are_counted_in_parts(monkeypatch, tmp_path):
    """Tiktoken counts the whole; a name of a special token is at the end of each part."""
    gpt2, sizes = load("gpt2"), []
    count = type(gpt2).count

    def noted(tokenizer, text, **more):
        sizes.append(len(text))
        return count(tokenizer, text, **more)

    monkeypatch.setattr(type(gpt2), "count", noted)
    text = ("the keeper's dog, " * 20 + "<|endoftext|>") * 8_000
    (tmp_path / "large.txt").write_text(text)
    ranks = {token: i for i, token in enumerate(gpt2.tokens[:50256])}
    specials = {"<|endoftext|>": 50256}
    theirs = tiktoken.Encoding(
        "gpt2", pat_str=gpt2.pretokenizer.pattern, mergeable_ranks=ranks, special_tokens=specials
    )
    for option, expected in (
        ("--specials", theirs.encode(text, allowed_special="all")),
        ("--no-specials", theirs.encode_ordinary(text)),
    ):
        sizes.clear()
        assert int(ok("encode", "gpt2", "--count", option, tmp_path / "large.txt")) == len(expected)
        assert len(sizes) >= 2
        assert max(sizes) <= 2 * CHUNK
    assert b"<|endoftext|>" in run("encode", "gpt2", "--count", tmp_path / "large.txt").stderr


def test_a_picture_looks_as_the_options_say(tmp_path):
    out = tmp_path / "dog.svg"
    ok("draw", "tokens", "gpt2", "--title", "--dark", "--width", 200, "--out", out, given=b"the dog and the keeper")
    shown = out.read_text(encoding="utf-8")
    assert ">5 tokens, gpt2<" in shown
    assert int(shown.partition('width="')[2].partition('"')[0]) <= 200
    ok("draw", "tokens", "gpt2", "--text", "dog", "--fragment", "--out", tmp_path / "dog.tex")
    assert "documentclass" not in (tmp_path / "dog.tex").read_text(encoding="utf-8")


def test_a_special_token_is_refused_until_somebody_says_what_it_is(tmp_path):
    done = run("encode", "gpt2", given=b"a<|endoftext|>")
    assert done.returncode == 1
    assert b"--specials to make it one token, or --no-specials" in done.stderr
    assert ok("encode", "gpt2", "--specials", given=b"a<|endoftext|>") == b"64 50256\n"
    compared = ("compare", "-", "--tokenizers", "gpt2", "gpt-4o")
    assert b"--specials to make it one token" in run(*compared, given=b"a<|endoftext|>").stderr
    assert ok(*compared, "--specials", given=b"a<|endoftext|>").splitlines()[1].split() == [b"tokens", b"2", b"2"]
    assert b"are for --tokenizers" in run("compare", "-", "--no-specials", given=b"a").stderr


def test_a_file_that_is_there_is_overwritten_only_with_force(tmp_path):
    arguments = ("convert", "gpt2", "--out", tmp_path / "mine.tiktoken")
    ok(*arguments)
    assert b"--force overwrites it" in run(*arguments).stderr
    ok(*arguments, "--force")


@pytest.mark.parametrize(
    ("line", "name"),
    [("film {} --out", "x.html"), ("page gpt2 {} --out", "x.html"), ("draw tokens gpt2 {} --out", "x.svg")],
)
def test_a_page_or_picture_that_is_there_is_overwritten_only_with_force(tmp_path, line, name):
    story, out = tmp_path / "a.txt", tmp_path / name
    story.write_text("low low")
    out.write_text("mine")
    arguments = [*line.format(story).split(), out]
    assert b"is there already; --force overwrites it" in run(*arguments).stderr
    assert out.read_text() == "mine"
    ok(*arguments, "--force")
    assert out.read_text() != "mine"


def test_files_may_follow_options(tmp_path):
    one, other = tmp_path / "a.txt", tmp_path / "--b"
    one.write_text("low low")
    other.write_text("low")
    assert ok("encode", "gpt-4o", "--count", one).split() == [b"2"]
    assert ok("encode", "gpt-4o", one, "--count", one, "--no-specials", one).split() == [b"2"] * 3
    assert ok("decode", "--pretokenizer", "gpt2", "gpt2", 15496, 995) == b"Hello world"
    assert ok("draw", "token", "gpt2", "--out", tmp_path / "x.svg", "--dark", 262) == b""
    with chdir(tmp_path):
        assert ok("encode", "gpt-4o", "--count", "--", "--b").split() == [b"1"]
    assert b"unrecognized arguments: 5" in run("vocab", "gpt2", "--csv", 5).stderr


def test_json_has_the_bytes_of_parts_of_characters():
    found = json.loads(ok("encode", "gpt2", "--json", given="🦜".encode()))
    assert bytes.fromhex("".join(found["bytes"])).decode() == "🦜"
    assert len(found["bytes"]) == len(found["ids"])


def test_json_has_what_the_table_has(tmp_path):
    """Every command that prints a table or figures has `--json`, and shows no table then."""
    lines = {
        "steps": ["steps", STORY, "--vocab-size", 260],
        "vocab": ["vocab", "gpt2", "--search", "ð"],
        "compare": ["compare", STORY, "--vocab-size", 300],
        "train": ["train", STORY, "--vocab-size", 260, "--out", tmp_path / "a.json"],
        "convert": ["convert", "gpt2", "--out", tmp_path / "b.tiktoken"],
        "trim": ["trim", "gpt2", STORY, "--out", tmp_path / "c.json", "--ids", tmp_path / "c.csv"],
    }
    with_json = {name for name, each in COMMANDS.items() if "json" in each.forms}
    assert with_json == {*lines, "encode", "chat", "same", "count", "savings"}
    done = {name: run(*line, "--json") for name, line in lines.items()}
    assert {name: each.stderr for name, each in done.items() if each.stderr} == {}
    found = {name: json.loads(each.stdout) for name, each in done.items()}
    merges = train(EXAMPLE_TEXTS["short-story"], Settings(vocab_size=260)).merges
    assert [(bytes.fromhex(row["left_hex"]), row["right"], row["count"], row["tied"]) for row in found["steps"]] == [
        (merge.left, merge.right.decode(), merge.count, merge.tied) for merge in merges
    ]
    assert {"id": 127, "token": "\ufffd", "token_hex": "c3", "bytes": 1, "step": None} in json.loads(
        ok("vocab", "gpt2", "--json")
    )
    assert found["vocab"][0] == {"id": 27214, "token": "ð", "token_hex": "c3b0", "bytes": 2, "step": 26959}
    assert [list(side.values())[:5] for side in found["compare"]] == [
        ["whitespace", 1444, 554, 44, 4009], ["gpt2", 1893, 432, 44, 4758],
    ]  # fmt: skip
    assert found["train"] == {
        "files": [str(tmp_path / "a.json")], "tokens": 260, "merges": 4, "ended_because": "target reached",
    }  # fmt: skip
    assert found["convert"]["tokens"] == 50257
    assert found["convert"]["files"] == [str(tmp_path / f"b.tiktoken{end}") for end in ("", ".json")]
    assert found["trim"]["files"] == [str(tmp_path / "c.json"), str(tmp_path / "c.csv")]
    assert (found["trim"]["tokens_before"], found["trim"]["tokens"]) == (50257, len(load(tmp_path / "c.json")))


def test_json_has_every_difference_of_two_tokenizers(tmp_path):
    (tmp_path / "a.txt").write_text(" strawberry 2023" * 12, encoding="utf-8")
    one, other = load("gpt2"), load("gpt-4o")
    line = ("compare", tmp_path / "a.txt", "--tokenizers", "gpt2", "gpt-4o")
    found = json.loads(run(*line, "--json").stdout)
    expected = bpe_core.compare(one, other, " strawberry 2023" * 12)
    assert [(row["start"], row["end"], tuple(map(bytes.fromhex, row["one_hex"]))) for row in found["differences"]] == [
        row[:3] for row in expected.differences
    ]
    assert [row["tokens"] for row in found["tokenizers"]] == [len(expected.one), len(expected.other)]
    assert run(*line).stdout.count(b"\n") == 4 + 2 + 10 < len(found["differences"]) + 6


def test_decode_reads_what_json_wrote(tmp_path):
    files = [tmp_path / "a", tmp_path / "b"]
    for file, text in zip(files, ("The 🦜 low", " the end"), strict=True):
        file.write_text(text, encoding="utf-8")
    turns = b'[{"role": "user", "content": "Hi"}]'
    chat = ok("chat", "qwen", "--json", given=turns)
    assert ok("decode", "qwen", given=chat) == b"<|im_start|>user\nHi<|im_end|>\n"
    assert ok("decode", "gpt2", given=ok("encode", "gpt2", "--json", *files)).decode() == "The 🦜 low the end"
    assert ok("decode", "gpt2", "[464, 262]") == ok("decode", "gpt2", "[464,", "262]") == b"The the"
    for wrong in ("[464", '{"a": 1}', "[true]", '["464"]', "[1.5]", "[" * 100_000):
        done = run("decode", "gpt2", given=wrong.encode())
        assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), wrong


def test_training_on_nothing_says_so(tmp_path):
    for called in (["train", "--out", tmp_path / "x.json"], ["steps"], ["film", "--out", tmp_path / "x.html"]):
        done = run(*called, "-", "--vocab-size", 300)
        assert (done.returncode, done.stderr.count(b"the texts have no words")) == (0, 1)


def test_bash_completes_commands_and_options(capsys):
    pytest.importorskip("shtab")
    with pytest.raises(SystemExit):
        main(["--print-completion", "bash"], "mergescope")
    script = capsys.readouterr().out
    for typed, found in (
        ("con", "convert"), ("draw token", "tokens token"), ("train --tie", "--tie-rule"), ("ser", "serve"),
        ("serve --po", "--port"), ("encode o200k_b", "o200k_base"), ("same gpt2 tekk", "tekken"),
        ("count --tokenizer cl1", "cl100k_base"), ("show gpt-4o", "gpt-4o"), ("encode pyproject.t", "pyproject.toml"),
    ):  # fmt: skip
        words = f"COMP_WORDS=(mergescope {typed}); COMP_CWORD={len(typed.split())}"
        line = f"{words}; _shtab_mergescope mergescope '{typed.split()[-1]}'; echo ${{COMPREPLY[@]}}"
        done = ran(["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, check=True)
        assert done.stdout.split() == found.split()


def test_each_argument_that_takes_a_tokenizer_is_completed():
    found = [*grammar.arguments(parser("mergescope"))]
    assert len([each for each in found if grammar.takes_tokenizer(each)]) >= 12
    assert all(grammar.takes_tokenizer(each) for each in found if TOKENIZER in (each.help or ""))


def test_the_version_needs_no_library():
    script = "import sys; from bpe_core.cli import run; code = run('mergescope'); print(*sys.modules); sys.exit(code)"
    done = ran([sys.executable, "-c", script, "--version"], cwd=ROOT, capture_output=True, text=True, check=True)
    first, loaded = done.stdout.splitlines()
    assert first == f"mergescope {bpe_core.__version__}"
    assert {"numpy", "pyarrow", "regex", "bpe_core.cli.grammar"}.isdisjoint(loaded.split())


def test_one_name_and_one_version_everywhere():
    assert ok("--version").decode().split() == ["mergescope", bpe_core.__version__]
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == bpe_core.__version__
    serve = ran(
        [sys.executable, "-c", "from bpe_core.cli.mergescope import main; main()", "--help"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "mergescope serve" in serve.stdout
    assert re.search(r"^ +serve +the app in a browser$", serve.stdout, re.M)
    assert "python -m" not in serve.stdout


def test_no_port_is_one_sentence(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mergescope", "serve", "--port", "99999"])
    with pytest.raises(SystemExit):
        mergescope.main()
    assert "99999 is no port: choose a number from 1 to 65535" in capsys.readouterr().err


def test_two_tokenizers_are_compared(tmp_path):
    shown = run("compare", "-", "--tokenizers", "gpt2", "gpt-4o", given=b"In 2023 it slept").stdout.decode()
    assert [line.split() for line in shown.splitlines()[1:4]] == [
        ["tokens", "5", "6"], ["characters", "a", "token", "3.20", "2.67"], ["spans", "that", "differ", "1", "1"],
    ]  # fmt: skip
    assert shown.splitlines()[-1].split() == ["2", "‘", "20’", "‘23’", "‘", "’", "‘202’", "‘3’"]


def test_a_film_is_that_of_python_and_says_which_steps_of_a_long_training_it_has(tmp_path, monkeypatch):
    text, out = EXAMPLE_TEXTS["short-story"], tmp_path / "film.html"
    left, right = (train(text, Settings(split, vocab_size=300)) for split in ("whitespace", "gpt2"))
    two = ["--pretokenizer", "whitespace", "--beside", "pretokenizer=gpt2"]
    ok("film", STORY, "--vocab-size", 300, *two, "--out", out)
    title = "Whitespace beside GPT-2’s split, on short-story.txt"
    assert out.read_text(encoding="utf-8") == left.page(0, title, right).html
    monkeypatch.setattr(saved_page, "MOST_STEPS", 40)
    done = run("film", STORY, "--step", 44, "--out", out, "--force")
    remark = "The page has the first 40 of 44 steps."
    assert done.stderr.decode().endswith(f"{out}: A training of 44 merges on short-story.txt. {remark}\n")
    assert f'<p class="note">{remark}</p>' in out.read_text(encoding="utf-8")


def test_two_trainings_on_different_texts_have_no_film():
    with pytest.raises(ValueError, match="need the same text"):
        train("low", Settings()).page(beside=train("lower", Settings()))


@pytest.mark.thorough
def test_train_starts_from_a_vocabulary_and_crosses_words(tmp_path):
    text = EXAMPLE_TEXTS["short-story"]
    grown, again, across = (tmp_path / f"{name}.json" for name in ("grown", "again", "across"))
    ok("train", STORY, "--start", "gpt-2", "--vocab-size", 50262, "--out", grown)
    assert load(grown).ids(text) == train(text, Settings(vocab_size=50262, start="gpt2")).tokenizer().ids(text)
    ok("train", STORY, "--start", grown, "--vocab-size", 50267, "--out", again)
    assert load(again).ids(text) == train(text, Settings(vocab_size=50267, start="gpt2")).tokenizer().ids(text)
    size = ["--vocab-size", 400, "--then-across-words-from", 350]
    ok("train", STORY, *size, "--out", across)
    assert load(across).ids(text) == train(text, Settings(vocab_size=400, then_across_words_from=350)).tokenizer().ids(
        text
    )
    assert len(ok("steps", STORY, *size, "--csv").splitlines()) == 1 + 400 - 256
    assert b"its model is WordPiece, which has no merges" in run("steps", STORY, "--start", "bert").stderr


def test_trim_keeps_the_tokens_of_a_text_and_says_the_ids_before_and_after(tmp_path):
    small, ids = tmp_path / "small.json", tmp_path / "ids.csv"
    done = run("trim", "gpt2", STORY, "--out", small, "--ids", ids)
    text = Path(STORY).read_text(encoding="utf-8")
    new = dict(csv.reader(ids.read_text(encoding="utf-8").splitlines()[1:]))
    assert [int(new[str(i)]) for i in load("gpt2").ids(text)] == load(small).ids(text)
    assert done.stderr.decode().endswith(f"50,257 tokens became {len(new):,}\n")
    assert b"is read by this command" in run("trim", small, STORY, "--out", STORY).stderr


@pytest.mark.parametrize("before", [["count"], ["encode", "gpt2"], ["steps", "--vocab-size", 258]])
def test_after_two_hyphens_a_file_may_begin_with_one(tmp_path, monkeypatch, before):
    monkeypatch.chdir(tmp_path)
    Path("-f.txt").write_text("low lower")
    assert ok(*before, "--", "-f.txt").splitlines() == ok(*before, "./-f.txt").replace(b"./", b"").splitlines()


def test_decode_takes_ids_in_every_form_and_checks_them():
    for given in (
        b"[53122, 316]",
        b"tensor([53122,   316], device='cuda:0')",
        b"53122\n316\n",
        b'{"ids": [53122, 316]}',
    ):
        assert ok("decode", "qwen", given=given) == b" Pantom"
    assert ok("decode", "qwen", given=ok("encode", "qwen", "--json", given=b"a dog")) == b"a dog"
    done = run("decode", "qwen", "--check", 64, 53122, 316)
    why = "merge 29,747 makes ‘antom’, across a boundary that these ids keep"
    assert done.stdout.decode() == f"53122 316 (·Pant|om), not 393 30002 (·P|antom): {why}\n"
    assert done.stderr == b"bpe_core: These 3 ids are not what the tokenizer writes: 1 region differs.\n"
    assert done.returncode == 1
    assert ok("decode", "qwen", "--check", 64, 393, 30002) == b"These 3 ids are what the tokenizer writes.\n"
    assert "the text is split before ‘hu’" in run("decode", "cl100k_base", "--check", 510, 3283, 84).stdout.decode()
    name = load("gpt2").ids("<|endoftext|>", specials=False)
    assert "spell the special token ‘<|endoftext|>’" in run("decode", "gpt2", "--check", *name).stdout.decode()
    assert "a part of a character is no text" in run("decode", "gpt2", "--check", 8582).stdout.decode()


@pytest.mark.parametrize("given", [b"[1.5, 2]", b"[1, 2", b"tensor([1, ..., 2])", b"70000", b"-100 5", b"low"])
def test_ids_that_are_none_are_one_sentence(given):
    for options in ((), ("--check",)):
        done = run("decode", "gpt2", *options, given=given)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2 if options else 1, b"", 1)


def test_split_says_why(tmp_path):
    lines = ok("split", "gpt2", "--text", "I'm 42", "--why").decode().splitlines()
    assert lines == [
        "‘I’    letters: letters, with the space before them",
        "‘'m’   contraction: an apostrophe and s, t, re, ve, m, ll or d",
        "‘·42’  digits: digits, with the space before them",
    ]
    assert ok("split", "gpt2", given=b"I'm 42").decode().splitlines() == ["‘I’", "‘'m’", "‘·42’"]
    files = dumps(train("a b", Settings(vocab_size=257)).tokenizer(), ".tiktoken")
    for name, raw in files.items():
        (tmp_path / name).write_bytes(raw.replace(json.dumps(PRETOKENIZERS["gpt2"].pattern).encode(), b'"[ab]|[^ab]+"'))
    found = ok("split", tmp_path / "tokenizer.tiktoken", "--text", "a c", "--why").decode().splitlines()
    assert found == ["‘a’   alternative 1: [ab]", "‘·c’  alternative 2: [^ab]+"]


def test_train_and_steps_on_several_sources(tmp_path):
    code = STORY.replace("short-story", "python-code")
    sources = ["--source", f"story={STORY}", "--source", f"<b>code={code}", "--source", f"<b>code={code}"]
    texts = {"story": EXAMPLE_TEXTS["short-story"], "<b>code": [EXAMPLE_TEXTS["python-code"]] * 2}
    run_there = train(texts, Settings(vocab_size=400))
    done = run("train", *sources, "--vocab-size", 400, "--out", tmp_path / "a.json")
    assert done.returncode == 0
    assert b"served worst: " in done.stderr
    found = json.loads(ok("train", *sources, "--vocab-size", 400, "--out", tmp_path / "b.json", "--json"))
    there = run_there.sources(run_there.steps)
    assert [each["tokens"] for each in found["sources"]] == [each.tokens for each in there]
    assert [each["name"] for each in found["sources"]] == ["story", "<b>code"]
    assert [each["bytes_per_token"] for each in found["sources"]] == [each.bytes_per_token for each in there]
    first = ok("steps", *sources, "--vocab-size", 400, "--csv").decode().splitlines()[:2]
    assert first[0] == "step,left,right,token,count,tied,in story,in <b>code"
    assert first[1].endswith("," + ",".join(map(str, run_there.merge_sources(1).values())))
    assert b"either files to train on, - for standard input, or sources" in run("steps", STORY, *sources).stderr
    assert b"either files to train on, - for standard input, or sources" in run("steps").stderr
    assert b"is not a source and its file" in run("steps", "--source", "story").stderr


def test_what_compares_ends_with_0_for_equal_1_for_different_and_2_for_an_error(tmp_path):
    """As cmp, diff and grep do: their codes are asked for here too."""
    text, other = tmp_path / "a.txt", tmp_path / "b.txt"
    text.write_text("low lower")
    other.write_text("low")
    missing = tmp_path / "missing"
    theirs = [ran(["cmp", text, each], capture_output=True).returncode for each in (text, other, missing)]
    lines = {
        ("decode", "qwen", "--check"): ([64, 393, 30002], [64, 53122, 316], ["low"]),
        ("compare", text, "--tokenizers"): (["gpt2", "p50k_base"], ["gpt2", "bert"], ["gpt2", missing]),
        ("compare", text, "--vocab-size", 258, "--pretokenizers"): (["gpt2"] * 2, ["gpt2", "none"], ["no", "no"]),
    }
    for begin, ends in lines.items():
        assert [run(*begin, *end).returncode for end in ends] == theirs == [0, 1, 2], begin
    assert run("compare", missing).returncode == 2
    assert run("decode", "qwen", "low").returncode == 1  # it compares nothing without --check
    for name in ("same", "compare", "decode"):
        assert b"exit code: 0 if" in ok(name, "--help"), name


def test_what_is_assumed_is_said_once_by_every_command_that_opens_a_tokenizer(tmp_path, monkeypatch):
    monkeypatch.setattr("bpe_core.cli.commands.same.SECONDS", 0.2)
    pair, text = tmp_path / "pair", tmp_path / "a.txt"
    pair.mkdir()
    for name in ("vocab.json", "merges.txt"):
        (pair / name).write_bytes(class_files("GPT2Tokenizer")[name])
    text.write_text("the parrot, the parrots")
    grown = [text, "--start", pair, "--vocab-size", 290]
    lines = {
        "encode": ["encode", pair, text],
        "same": ["same", pair, "gpt2"],
        "count": ["count", text, "--tokenizer", "gpt2", "--tokenizer", pair],
        "compare": ["compare", text, "--tokenizers", pair, "gpt2"],
        "train": ["train", *grown, "--out", tmp_path / "grown.json", "--force"],
        "steps": ["steps", *grown],
        "draw": ["draw", "step", *grown, "--out", tmp_path / "a.svg", "--force"],
        "film": ["film", *grown, "--beside", "start=none", "--out", tmp_path / "a.html", "--force"],
    }
    for name, line in lines.items():
        said, quiet, chosen = (run(*line, *more) for more in ([], ["--quiet"], ["--pretokenizer", "qwen"]))
        assert said.returncode == (name in ("same", "compare")), said.stderr
        assert said.stderr.count(f"{pair}: The files do not say how text is split".encode()) == 1, name
        assert said.stderr.count(b"--pretokenizer chooses another one.") == 1, name
        assert b" assumed" not in quiet.stderr, name
        assert b"how text is split" not in chosen.stderr, name
        assert said.returncode == quiet.returncode == chosen.returncode, name
    assert b"grown from the tokens of the start beside" in run(*lines["film"]).stderr
    assert b"says itself how text is split" in run("same", "gpt2", "gpt-4o", "--pretokenizer", "qwen").stderr


def test_what_a_vocabulary_loses_is_said_and_the_ids_are_as_before(tmp_path):
    """BERT's tokenizer gives [UNK], id 100, for a word of characters that its vocabulary lacks."""
    theirs = tokenizers.Tokenizer.from_buffer(dumps(load("bert"))["tokenizer.json"])
    text = "a 🦜 and \u16a0\u16a2 [UNK] and 🦜"
    ids = theirs.encode(text, add_special_tokens=False).ids
    assert ids.count(100) == 4  # one of them is the name itself
    for form, printed in (((), " ".join(map(str, ids))), (("--count",), str(len(ids)))):
        done = run("encode", "bert", "--text", text, "--specials", *form)
        assert (done.returncode, done.stdout.decode().strip()) == (0, printed)
        assert done.stderr.decode().strip() == "3 pieces of the text are lost"
    assert run("encode", "bert", "--text", "a dog").stderr == b""
    assert run("encode", "gpt2", "--text", text).stderr == b""
    (tmp_path / "a.txt").write_text("a 🦜 and 🦜")
    (tmp_path / "b.txt").write_text("🦜")
    command = ("count", tmp_path, "--tokenizer", "bert", "--tokenizer", "gpt2")
    assert "bert: 3 pieces of the text are lost\n" in ok(*command).decode()
    assert json.loads(ok(*command, "--json"))["lost"] == {"bert": 3, "gpt2": 0}
    assert "lost" not in json.loads(ok("count", tmp_path, "--tokenizer", "gpt2", "--json"))
    named = run("encode", "bert", tmp_path / "a.txt", tmp_path / "b.txt").stderr.decode().splitlines()
    assert [line.split(": ")[1] for line in named] == ["2 pieces of the text are lost", "1 piece of the text is lost"]


def test_decode_writes_a_line_for_each_list_of_a_batch():
    rows = [[464, 262], [3290, 50256], [257, 3290]]
    ours = load("gpt2")
    expected = "".join(f"{ours.decode(row)}\n" for row in rows).encode()
    for printed in (
        json.dumps(rows), str(np.array(rows)), repr(np.array(rows)), f"tensor({rows})", json.dumps({"input_ids": rows}),
        str([[*map(np.int64, row)] for row in rows]), str([tuple(row) for row in rows]),
        f"[{', '.join(f'tensor({row})' for row in rows)}]", "{{464, 262}, {3290, 50256}, {257, 3290}}",
    ):  # fmt: skip
        assert ok("decode", "gpt2", given=printed.encode()) == expected, printed
    for printed in ("[[464, 262]]", "[464, 262]", "464 262", "tensor([[464, 262]])", str([*map(np.int64, rows[0])])):
        assert ok("decode", "gpt2", given=printed.encode()) == ours.decode(rows[0]).encode(), printed
    assert b"3 lists of ids, and --check takes one" in run("decode", "gpt2", "--check", str(rows)).stderr


def test_savings_and_ways_say_what_the_library_says(tmp_path):
    text = "Saltby boatmen slept.\n" * 300
    (tmp_path / "a.txt").write_text(text)
    found = load("gpt2").savings(text, 3)
    rows = json.loads(ok("savings", "gpt2", tmp_path / "a.txt", "--most", 3, "--json"))
    assert [(bytes.fromhex(row["token_hex"]), row["saved"], row["tokens"]) for row in rows] == [
        (token, int(found.saved[at]), int(found.tokens[at + 1])) for at, token in enumerate(found.new)
    ]
    said = run("savings", "gpt2", "-", given=b"zqxv " * 60).stderr
    assert b"too little text to hold any out" in said
    assert b"%" not in said
    assert ok("encode", "gpt2", "--text", "hello", "--ways") == b"16\n"

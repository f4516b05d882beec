"""The tests that belong to a file, and the tests of what has changed: `make check`, for the moment between two edits.

python -m tests.changed                   # of what differs from the last commit; of that commit if nothing does
python -m tests.changed pages/train.py    # of files and folders

By rule the tests of a folder are in the folder of the same name, and the examples in its docstrings are tests too:

    bpe_core/record/frames.py                     tests/record/
    bpe_core/pictures/film/film.js                tests/pictures/film/
    pages/train.py, pages/parts/train/carried.py  tests/pages/train/, tests/pages/test_train.py
    tests/record/test_run.py                      itself
    tests/record/driver.py                        tests/record/

The tables have what differs. `make test` runs all tests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from subprocess import PIPE, STDOUT

from tests.children import ran, started

ROOT = Path(__file__).parents[1]
HOUR = 3600  # seconds, for a slow machine
PYTEST = [sys.executable, "-m", "pytest", "--quiet"]
SPREAD = ["--numprocesses", "auto", "--maxprocesses", "4", "--dist", "worksteal"]
PAGES = ("tokens", "train", "compare", "algorithms", "chat", "files", "tokenizers", "pipeline", "learn")
TOKENS = "tokens.py::test_ring_line_and_biography_are_of_one_token"
FILM = "train.py::test_choosing_a_pair_marks_it_and_names_its_words_and_choosing_a_word_shows_its_pairs"

# What a visitor does with a page or a picture, in a browser: two tests of a few seconds each. Those of a folder that
# has none here are under "several".
JOURNEYS = {
    "app.py": (
        "tokens.py::test_a_chosen_token_is_in_the_link_and_there_after_a_reload_until_a_step",
        "tokens.py::test_typing_plays_with_ones_own_text_which_goes_along_to_another_page",
    ),
    "chat": (
        "chat.py::test_a_template_is_pasted_and_a_bos_that_comes_twice_is_seen",
        "chat.py::test_a_request_is_pasted_and_its_tools_and_its_cache_are_seen",
    ),
    "files": (
        "files.py::test_the_bars_come_first_on_every_screen",
        "files.py::test_a_folder_is_entered_by_its_bars_and_a_row_is_read",
    ),
    "tokenizers": (
        "tokenizers.py::test_two_tokenizers_a_part_and_the_text_side_by_side",
        "tokenizers.py::test_a_vocabulary_says_which_tokens_no_text_has_and_fits_a_phone",
    ),
    "train": (FILM, "train.py::test_predict_with_a_score"),
    "compare": ("compare.py::test_choose_search_and_reload", "compare.py::test_edit_the_text"),
    "pipeline": ("pipeline.py::test_the_whole_way", "pipeline.py::test_choose_normalizers_and_a_cut"),
    "algorithms": ("algorithms.py::test_a_chosen_word_and_a_chosen_pair", "algorithms.py::test_two_ways_to_encode"),
    "learn": (
        "learn.py::test_a_reload_in_the_middle_shows_the_same",
        "learn.py::test_a_cut_can_be_typed_and_show_me_tells",
    ),
    "film": (FILM, "compare.py::test_choose_search_and_reload"),
    "tokens": (TOKENS, "tokens_files.py::test_copies_and_files"),
    "prompt": (
        "why.py::test_the_end_of_a_prompt_moves_by_key_click_and_button",
        "why.py::test_letters_stand_under_the_tokens_and_one_is_counted_at_every_step",
    ),
    "rows": (
        "tokenizers.py::test_two_tokenizers_a_part_and_the_text_side_by_side",
        "directions.py::test_side_by_side_a_text_stands_as_it_is_read_and_on_a_change_too",
    ),
    "editor": (
        "tokens.py::test_typing_asks_one_question_at_a_time_and_the_newest_text_last",
        "tokens.py::test_typing_plays_with_ones_own_text_which_goes_along_to_another_page",
    ),
    "saved": (
        "pages_from_disk.py::test_two_trainings_play_beside_each_other",
        "pages_from_disk.py::test_a_text_grows_with_its_vocabulary_and_shows_a_tree",
    ),
    "site": (
        "site.py::test_the_examples_are_there_while_python_loads_and_without_it",
        "pages_from_disk.py::test_a_text_grows_with_its_vocabulary_and_shows_a_tree",
    ),
    "several": (TOKENS, FILM),
}

# The tests that belong to a file or a folder besides those of the rule. If two rows fit, the longer counts.
MORE = {
    "bpe_core/": ("tests/text", "tests/corpus", "tests/training", "tests/tokenizer", "tests/record"),
    "bpe_core/settings.py": ("tests/training", "tests/record", "tests/pages/trainings", "tests/pages/train"),
    "bpe_core/ties.py": ("tests/training", "tests/record", "tests/test_settings.py"),
    "bpe_core/kinds.py": ("tests/test_settings.py", "tests/pages/state"),
    "bpe_core/text/": ("tests/corpus", "tests/training", "tests/tokenizer", "tests/test_settings.py"),
    "bpe_core/text/pretokenizers.py": (
        *("tests/corpus", "tests/training", "tests/tokenizer", "tests/test_settings.py"),
        "tests/text/test_class_rules.py",  # classes beside the rules that they stand for
    ),
    "bpe_core/corpus/": ("tests/training", "tests/record"),
    "bpe_core/training/": ("tests/record",),
    "bpe_core/tokenizer/": ("tests/pictures/tokens",),
    "bpe_core/record/": ("tests/pictures/film",),
    **{f"bpe_core/{name}/": () for name in ("models", "published", "files", "counting", "chat", "sameness", "cli")},
    "bpe_core/processes/": ("tests/test_children.py",),
    "bpe_core/pictures/": (
        "tests/pictures/test_markup.py",
        "tests/pictures/shared",
        "tests/pages/ui/test_theme.py",  # it reads all style sheets
    ),
    "bpe_core/pictures/shared/style.py": (
        *("tests/pictures/test_markup.py", "tests/pictures/shared", "tests/pages/ui/test_theme.py"),
        "tests/pictures/saved/test_notebook.py",  # what the notebook shows has the colours
    ),
    "bpe_core/pictures/resources.py": ("tests/pictures/test_resources.py", "tests/pages/server/test_resource_route.py"),
    "pages/parts/examples/": ("tests/pages/texts",),
    "pages/parts/server/resource_route.py": (
        "tests/pages/server/test_resource_route.py",
        "tests/pictures/test_resources.py",
    ),
    "pages/parts/vocabularies/": ("tests/pages/page", "tests/pages/test_app.py"),
    "pages/parts/page/": ("tests/pages/test_app.py", "tests/pages/train"),
    **dict.fromkeys(
        ("pages/parts/tokens/", "pages/parts/chat/", "pages/parts/files/", "pages/parts/tokenizers/"),
        ("tests/test_documents.py::test_the_readme_names_every_view_of_a_page_and_no_other",),
    ),
    "pages/parts/state/": ("tests/pictures/test_markup.py", "tests/pages/test_app.py"),
    "pages/parts/ui/": ("tests/pages/test_app.py",),
    "pages/parts/ui/style/": ("tests/pages/test_app.py", "tests/pages/ui/test_theme.py"),
    "app.py": ("tests/pages/test_app.py",),
    "tests/pictures/": ("tests/pictures/shared/test_web.py::test_the_modules_alone",),
    "tests/texts.py": ("tests/training", "tests/record"),
    "tests/children.py": ("tests/test_children.py", "tests/processes"),
    "Makefile": ("tests/test_documents.py", "tests/test_changed.py"),
    "pyproject.toml": ("tests/test_package.py", "tests/test_imports.py"),
    "requirements.txt": ("tests/test_package.py",),
    "hosting/": ("tests/test_package.py",),
    "CITATION.cff": ("tests/test_package.py",),
    "CHANGELOG.md": ("tests/test_package.py",),
    ".streamlit/": ("tests/test_config.py", "tests/pages/ui/test_theme.py"),
    **dict.fromkeys(("README", "CONTRIBUTING", "HOSTING", "bpe_core/README"), ("tests/test_documents.py",)),
}
# Tests that take long. They run if they have changed, or the file that they are named after.
LONG = (
    "tests/files/test_same_ids.py",
    "tests/models/test_wordpiece.py",
    "tests/pages/learn/test_rules.py",
    "tests/pages/files/test_files_view.py",
    "tests/pages/tokens/test_hub.py",
    "tests/pages/tokens/test_open_menu.py",
    "tests/pages/tokenizers/test_sameness_view.py",
    "tests/text/test_class_rules.py",
    "tests/training/test_compiled_loop.py",
)


def belonging(path: str) -> Iterator[str]:
    """Yield the tests that belong to a file or a folder, without what drives a browser.

    >>> list(belonging("bpe_core/record/frames.py"))
    ['tests/record', 'bpe_core/record', 'tests/pictures/film']
    >>> list(belonging("pages/compare.py"))
    ['tests/pages/test_compare.py', 'tests/pages/compare', 'pages/parts/compare', 'tests/test_imports.py']
    """
    place = Path(path)
    inside = place.parent if place.suffix else place
    named = f"test_{place.stem}.py"
    if place.parts[0] == "tests":
        found = [path] if _is_test(place) or place == inside else [str(inside)] if len(place.parts) > 2 else []
    elif place.parts[0] == "bpe_core":
        found = [*_named(Path("tests", *inside.parts[1:]), named), path if inside == Path("bpe_core") else str(inside)]
    elif place.parts[0] == "pages":
        of_page = place.stem.removesuffix("_state")  # a page's state is in `state/`, its tests are with the page's
        page = of_page if len(place.parts) == 2 or of_page in PAGES else place.parts[2]
        folder = Path("tests/pages", page)
        found = [f"tests/pages/test_{page}.py", *_named(folder, named), f"pages/parts/{page}", "tests/test_imports.py"]
    else:
        found = []
    rows = [start for start in MORE if path.startswith(start)]
    more = MORE[max(rows, key=len)] if rows else ()
    yield from (each for each in dict.fromkeys([*found, *more]) if (ROOT / each.partition("::")[0]).exists())


def _is_test(place: Path) -> bool:
    return place.suffix == ".py" and place.stem.startswith("test_")


def _named(folder: Path, named: str) -> Iterator[str]:
    """Yield the nearest folder of tests that is there, and the long test in it that has the name of a file."""
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    if folder in (Path("tests"), Path("tests/pages")):
        yield f"{folder}/{named}"  # one of the tests beside the folders
    else:
        yield str(folder)
        yield from (each for each in LONG if each == f"{folder}/{named}")


def journeys_of(path: str) -> tuple[str, ...]:
    """Return the two tests in a browser that belong to a file or a folder of a page or a picture; () for the engine.

    >>> journeys_of("bpe_core/record/frames.py")
    ()
    >>> journeys_of("pages/parts/ui/tables.py")[1].partition("::")[0]
    'tests/browser/test_train.py'
    """
    place = Path(path)
    if path.startswith("tests/browser/test_"):
        return (path,)
    if path.startswith("bpe_core/pictures/"):
        key = place.parts[2]
    elif place.parts[0] == "pages":
        key = place.stem if len(place.parts) == 2 else place.parts[2]
    elif path == "app.py":
        key = path
    else:
        return ()
    return tuple(f"tests/browser/test_{each}" for each in JOURNEYS.get(key, JOURNEYS["several"]))


def changed() -> list[str]:
    """Return the files that differ from the last commit, and new ones; if none do, the files of the last commit."""
    found = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return found or _git("diff", "--name-only", "HEAD~1", "HEAD")


def _git(*command: str) -> list[str]:
    done = ran(["git", *command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit("What has changed is only known in a clone with git and a commit before the last: use `make test`.")
    return done.stdout.splitlines()


def chosen(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the tests of files, each once, and separately their tests in a browser."""
    paths = list(paths)
    tests = {each: None for path in paths for each in belonging(path) if not each.startswith("tests/browser")}
    return list(tests), list(dict.fromkeys(each for path in paths for each in journeys_of(path)))


def commands(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the command that runs the tests of files, and the command for those in a browser; [] for no tests."""
    tests, journeys = chosen(paths)
    left = [f"--ignore={each}" for each in LONG if each not in tests]
    return (
        [*PYTEST, *SPREAD, *tests, *left] if tests else [],
        [*PYTEST, "-m", "browser", *journeys] if journeys else [],
    )


def main(paths: Iterable[str]) -> int:
    """Run the tests of files, and beside them those in a browser; return 1 if one fails."""
    paths = list(paths) or changed()
    print("Tests of what has changed:", *(each for row in chosen(paths) for each in row), sep="\n  ", flush=True)
    command, beside = commands(paths)
    # A browser waits more than it computes: it runs beside the others, and says what it has to say after them.
    with started(beside, HOUR, stdout=PIPE, stderr=STDOUT) if beside else nullcontext() as browser:
        done = ran(command, HOUR).returncode if command else 0
        said, _ = browser.communicate() if browser else (b"", b"")
    print(said.decode(errors="replace"))
    return done or (browser.returncode if browser else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

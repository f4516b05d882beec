"""A tokenizer that a command has trained."""

import pytest

from tests.children import ran
from tests.cli.driver import PLAIN, ROOT, STORY, command


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "tokenizer.json"
    line = command("train", STORY, "--vocab-size", 600, "--special-tokens", "<|end|>", "--out", path)
    ran(line, check=True, env={**PLAIN, "PYTHONPATH": str(ROOT)})
    return path

"""The components' scripts: files that stand one after the other in one script do not take each other's names."""

import re
from collections import Counter

import pytest

from pages.parts.film import film
from pages.parts.live_text import scripts, token_view

SCRIPTS = {
    "film": film.script(),
    "token view": token_view.SCRIPT,
    "one token": scripts.source(*scripts.TOKENS, *scripts.BIOGRAPHY, "life.js"),
    "rows": scripts.source(*scripts.TOKENS, "tree.js", "pictures.js", "rows.js"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_name_is_declared_twice(name):
    declared = Counter(re.findall(r"^(?:async )?(?:const|let|class|function\*?) (\w+)", SCRIPTS[name], re.M))
    assert len(declared) > 20
    assert [each for each, times in declared.items() if times > 1] == []

"""Data as TOON, beside what the package of its authors writes: many random values, tables and objects in objects."""

import json

from hypothesis import HealthCheck, given, settings

from bpe_core.counting.toon import toon
from tests.json_values import data
from tests.pictures.deno import needs_deno, printed
from tests.published.real_files import content

PACKAGE = "@toon-format/toon@4.4.0"
SCRIPT = """import { encode } from "./toon.mjs";
const values = JSON.parse(Deno.readTextFileSync(Deno.args[0]));
console.log(JSON.stringify(values.map((value) => encode(value))));
"""


@needs_deno
def test_toon_is_what_its_package_writes(tmp_path):
    found = []

    @settings(max_examples=2000, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data)
    def collect(value):
        if not has_number_as_key(value):
            found.append(value)

    collect()
    (tmp_path / "toon.mjs").write_bytes(content("npm", PACKAGE, "dist/index.mjs"))
    (tmp_path / "write.mjs").write_text(SCRIPT)
    (tmp_path / "values.json").write_text(json.dumps(found))
    theirs = json.loads(printed("run", f"--allow-read={tmp_path}", tmp_path / "write.mjs", tmp_path / "values.json"))
    assert len(theirs) > 1500
    rows = [(repr(value), toon(value), their) for value, their in zip(found, theirs, strict=True)]
    different = sorted((row for row in rows if row[1] != row[2]), key=lambda row: len(row[0]))
    assert not different, "\n".join(different[0])  # the shortest, whole


def has_number_as_key(value):
    """JavaScript puts such keys first, and takes this one for no key."""
    if isinstance(value, dict):
        return any(key.isdigit() or key == "__proto__" for key in value) or any(map(has_number_as_key, value.values()))
    return isinstance(value, list) and any(map(has_number_as_key, value))

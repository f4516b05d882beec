"""The Python in the documents under `mypy --strict`: part of `make test-published`, as it takes half a minute.

Each block is a module of its own. It begins with the names that the blocks before it have made.
"""

import ast
import sys

from tests.children import ran
from tests.test_documents import DOCUMENTS, ROOT, blocks

# A block may show the same with several libraries, one after the other, under one name.
OPTIONS = (
    "--strict", "--allow-redefinition", "--ignore-missing-imports", "--disable-error-code=import-untyped",
    "--config-file=",
)  # fmt: skip


def modules(document):
    """The blocks of a document: each with the statements before it that make the names it uses."""
    made = {}
    for block in (block for block in blocks(document) if block.language == "python"):
        tree = ast.parse(block.text)
        own = {name for statement in tree.body for name in names_of(statement)}
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - own
        before = [made[name] for name in used if name in made]
        yield "\n".join([*dict.fromkeys(before), block.text])
        for statement in tree.body:
            source = ast.unparse(statement)
            earlier = [made[node.id] for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id in made]
            made |= {name: "\n".join([*dict.fromkeys(earlier), source]) for name in names_of(statement)}


def names_of(statement):
    """The names that a statement makes."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [each.asname or each.name.partition(".")[0] for each in statement.names]
    if isinstance(statement, ast.Assign):
        return [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    return []


def test_the_documents_hold_to_strict_types(tmp_path):
    written = [(document, module) for document in DOCUMENTS for module in modules(document)]
    assert len(written) > 10
    for number, (document, module) in enumerate(written):
        name = "".join(char if char.isalnum() else "_" for char in document)
        (tmp_path / f"{name}_{number}.py").write_text(module + "\n", encoding="utf-8")
    done = ran([sys.executable, "-m", "mypy", *OPTIONS, f"--cache-dir={tmp_path / 'cache'}", *tmp_path.glob("*.py")],
               cwd=ROOT, capture_output=True, text=True)  # fmt: skip
    assert done.stdout.startswith("Success"), done.stdout

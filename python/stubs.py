"""Puts the options of normalising, the words of a message, and the documentation of the compiled module, into its stub, for editors: python/stubs.py, after the
module has been built.

`documented` is also what tests/test_docs.py holds the stub to.
"""

import ast
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

STUB = Path(__file__).parent / "lib" / "sevenbit" / "_sevenbit.pyi"

_Definition = ast.ClassDef | ast.FunctionDef


def documented(stub: str, module: ModuleType) -> str:
    """The stub with a property for each word of a message, and with the documentation that the module has."""
    stub = _with_options(_with_words(stub, module._WORDS), module._OPTIONS)
    lines = stub.splitlines()
    # From the end, so that the numbers of the lines before stay as they are.
    for node, described in sorted(_described(ast.parse(stub).body, module), key=lambda each: -each[0].lineno):
        _document(lines, node, inspect.getdoc(described) or "")
    return "\n".join(lines) + "\n"


def _with_options(stub: str, options: tuple[tuple[str, list[str]], ...]) -> str:
    """The stub with a parameter for each option that is a word, the default first, where `read_as` is one."""

    def with_words(found: re.Match[str]) -> str:
        indent = found[1]
        quoted = {name: ", ".join(f'"{word}"' for word in words) for name, words in options}
        lines = [f'{name}: Literal[{quoted[name]}] = "{words[0]}",' for name, words in options]
        return f"{indent}*,\n" + "".join(f"{indent}{line}\n" for line in lines) + f"{indent}limits: Limits | None = None,\n{indent}read_as:"

    return re.sub(r"^( +)\*,\n(?:\1\w+: .*\n)*?\1read_as:", with_words, stub, flags=re.MULTILINE)


def _with_words(stub: str, words: tuple[str, ...]) -> str:
    """The stub with a property of `Message` for each answer that is one word. New ones come behind the last that is there."""
    [message] = [node for node in ast.parse(stub).body if isinstance(node, ast.ClassDef) and node.name == "Message"]
    known = [node for node in message.body if isinstance(node, ast.FunctionDef) and node.name in words]
    missing = [word for word in words if word not in {node.name for node in known}]

    end = max(node.end_lineno or 0 for node in known)
    lines = stub.splitlines()
    lines[end:end] = [line for word in missing for line in ("    @property", f"    def {word}(self) -> str | None: ...")]
    return "\n".join(lines) + "\n"


def _described(body: list[ast.stmt], owner: Any) -> list[tuple[_Definition, Any]]:
    found: list[tuple[_Definition, Any]] = []
    for node in body:
        if not isinstance(node, _Definition) or node.name.startswith("_") or not hasattr(owner, node.name):
            continue
        described = getattr(owner, node.name)
        found.append((node, described))
        if isinstance(node, ast.ClassDef):
            found += _described(node.body, described)
    return found


def _document(lines: list[str], node: _Definition, text: str) -> None:
    first = node.body[0]
    old = first if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str) else None
    if old is not None:
        assert old.end_lineno is not None
        del lines[old.lineno - 1 : old.end_lineno]
        insert_at = old.lineno - 1
    elif isinstance(node, ast.FunctionDef):
        assert node.end_lineno is not None
        lines[node.end_lineno - 1] = lines[node.end_lineno - 1].removesuffix(" ...")
        insert_at = node.end_lineno
    else:
        insert_at = first.lineno - 1 - len(getattr(first, "decorator_list", []))

    if not text:
        return
    indent = " " * (node.col_offset + 4)
    quoted = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    quoted = quoted[:-1] + '\\"' if quoted.endswith('"') else quoted
    ending = '"""' if "\n" not in quoted else f'\n{indent}"""'
    body = f'{indent}"""{quoted}'.replace("\n", f"\n{indent}") + ending
    lines[insert_at:insert_at] = [line.rstrip() for line in body.split("\n")]


if __name__ == "__main__":
    from sevenbit import _sevenbit

    STUB.write_text(documented(STUB.read_text(encoding="utf-8"), _sevenbit), encoding="utf-8")

#!/usr/bin/env python3
"""Writes man/sevenbit.3, or the given file, from include/sevenbit.h: its first comment, then everything that it declares with
the comment above. The tests compare the file with the header.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
HEADER = (HERE / "include/sevenbit.h").read_text()

# A comment of the header's, and the declaration below it: a macro, a struct, another type, or a function.
ITEM = re.compile(
    r"/\*\*\n(?P<comment>(?: \*[^\n]*\n)+?) \*/\n"
    r"(?P<code>#define [^\n]*|typedef struct \{.*?^\} \w+;|typedef [^;{]*;|(?:SEVENBIT_WARN_UNUSED\n)?[a-z][^;{]*\);)",
    re.MULTILINE | re.DOTALL,
)
MEMBER = re.compile(r"    /\*\*\n((?:     \*[^\n]*\n)+?)     \*/\n    ([^\n]*;)")


def paragraphs(comment: str) -> str:
    """A comment as text of a man page: without its stars, code in bold."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.strip("\n").split("\n")]
    text = "\n".join(lines).strip().replace("\\", "\\e")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text).replace("-", "\\-")
    text = re.sub(r"\b(sevenbit_\w+)", r"\\fB\1\\fR", text)
    text = text.replace("What the caller promises:\n", "The caller promises: ")
    text = re.sub(r"^(?=['.])", r"\\&", text, flags=re.MULTILINE)
    return re.sub(r"\n\n+", "\n.PP\n", text)


def code(text: str) -> str:
    """Lines of C as they stand."""
    text = text.removeprefix("SEVENBIT_WARN_UNUSED\n").replace("\\", "\\e").replace("-", "\\-")
    return f".nf\n\\fB{text}\\fR\n.fi"


def entry(comment: str, declaration: str) -> str:
    """A declaration with its text indented below it."""
    return f".PP\n{code(declaration)}\n.RS 4\n{paragraphs(comment).replace('.PP', '.sp')}\n.RE\n"


def struct(comment: str, declaration: str) -> str:
    name = re.search(r"\} (\w+);$", declaration).group(1)
    members = "".join(f".TP 4\n.B {member}\n{paragraphs(text)}\n" for text, member in MEMBER.findall(declaration))
    return f".SS {name}\n{paragraphs(comment)}\n{members}"


def page() -> str:
    items = [(found["comment"], found["code"]) for found in ITEM.finditer(HEADER)]
    macros = [item for item in items if item[1].startswith("#define")]
    structs = [item for item in items if item[1].startswith("typedef struct {")]
    types = [item for item in items if item[1].startswith("typedef") and item not in structs]
    functions = [item for item in items if item not in macros + structs + types]
    number = re.compile(r"#define SEVENBIT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)")
    version = ".".join(number.findall(HEADER))
    about = re.search(r"\A/\*\n((?: \*[^\n]*\n)+?) \*/", HEADER).group(1)
    return "".join([
        '.\\" Made of include/sevenbit.h by make-man.py; do not edit.\n',
        f'.TH SEVENBIT 3 "" "sevenbit {version}" "C library"\n',
        ".SH NAME\nsevenbit \\- mail in any charset in, the same message normalised and 7-bit safe out\n",
        ".SH SYNOPSIS\n.nf\n.B #include <sevenbit.h>\n.sp\n.B cc example.c $(pkg\\-config \\-\\-cflags \\-\\-libs sevenbit)\n.fi\n",
        f".SH DESCRIPTION\n{paragraphs(about.split(chr(10), 2)[2])}\n",
        ".SH FUNCTIONS\n", *(entry(*item) for item in functions),
        ".SH STRUCTS\n", *(struct(*item) for item in structs),
        ".SH OTHER TYPES\n", *(entry(*item) for item in types),
        ".SH CONSTANTS\n", *(entry(*item) for item in macros),
        ".SH SEE ALSO\n.BR sevenbit (1),\n.BR pkg\\-config (1)\n",
    ])


Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "man/sevenbit.3").write_text(page())

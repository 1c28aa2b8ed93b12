#!/usr/bin/env python3
"""Files of Outlook through several readers: how many subjects, recipients, texts, files and characters each has right.

    benches/outlook/compare.py FOLDER --sevenbit BINARY [--msgreader FOLDER_OF_NODE] [--extract-msg PYTHON]

FOLDER has .msg and .pst files, and in expect.jsonl what is known of them: a JSON object a line, with `file`, `subject`,
`recipients`, `text`, `files` (the first 16 digits of their SHA-256), of a store `mail` with `subject`, `body`, `files` each.
msgconvert (libemail-outlook-message-perl) and readpst (pst-utils) take part if they are installed, the others where they are:
`npm install @kenjiuno/msgreader`, `pip install extract-msg`. The table is that of docs/outlook.md.
"""

import argparse
import collections
import email
import email.policy
import hashlib
import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

EXTRACT_MSG = """
import hashlib, json, sys
import extract_msg

def read(answer):  # it raises where octets are no text in the code page that is named
    try:
        return answer()
    except Exception:
        return None

for path in sys.stdin.read().splitlines():
    message = read(lambda: extract_msg.openMsg(path))
    files = read(lambda: [one.data for one in message.attachments if isinstance(one.data, bytes)]) or []
    print(json.dumps({
        "subject": read(lambda: message.subject) or "",
        "recipients": read(lambda: [one.email or "" for one in message.recipients]) or [],
        "text": read(lambda: message.body) or "",
        "html": read(lambda: message.htmlBody.decode("utf-8", "replace")) or "",
        "files": [hashlib.sha256(one).hexdigest()[:16] for one in files],
    }))
"""

# What is known is what two readers agree on. These are in code page 932, which both did not find: by eye, they say this.
KNOWN = {
    "msgreader/contactAnsi.msg": {"subject": "コム ドット イグザンプル 殿"},
    "msgreader/nonUnicodeCP932.msg": {"subject": "日本語 Non Unicode タイトル", "text": None},
}


def clean(text):
    return " ".join((text or "").replace("\0", "").split())


def words(text):
    return collections.Counter(re.findall(r"\w+", text or ""))


def characters(text):
    """The characters beyond US-ASCII, which are what a code page can get wrong."""
    return collections.Counter(one for one in text or "" if ord(one) > 0x7F and one.isprintable() and not one.isspace())


def without_tags(text):
    return html.unescape(re.sub(r"(?s)<(style|script|head).*?</\1>|<!--.*?-->|<[^>]*>", " ", text))


def leaves(part):
    """The leaves of a message and of those attached to it."""
    if part.is_multipart():
        for inner in part.get_payload():
            yield from leaves(inner)
    else:
        yield part


def of_mail(octets):
    """What a message in the form of mail has."""
    message = email.message_from_bytes(octets, policy=email.policy.default)
    text, files = [], []
    for part in leaves(message):
        content = part.get_payload(decode=True) or b""
        files.append(hashlib.sha256(content).hexdigest()[:16])
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
            try:
                decoded = content.decode(part.get_content_charset() or "utf-8", "replace")
            except LookupError:
                decoded = content.decode("latin-1")
            text.append(without_tags(decoded) if part.get_content_subtype() == "html" else decoded)
    recipients = [
        one.addr_spec for name in ("to", "cc", "bcc") for field in message.get_all(name, []) for one in field.addresses
    ]
    return {"subject": str(message["subject"] or ""), "recipients": recipients, "text": " ".join(text), "files": files}


def by_command(command, paths):
    """Messages that a command writes as mail, one for each file."""
    for path in paths:
        ran = subprocess.run([*command, path], capture_output=True, timeout=300, check=False)
        try:
            yield of_mail(ran.stdout) if ran.stdout else {}
        except Exception:  # what cannot be read as mail is not right
            yield {}


def by_lines(command, paths, **options):
    """What a program says of all files, a line for each."""
    ran = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, check=True, **options)
    for line in ran.stdout.splitlines():
        found = json.loads(line)
        yield {**found, "text": found.get("text", "") + " " + without_tags(found.get("html", ""))}


def right(found, want):
    """Of each question that has an answer: whether a reader answers so, or how many characters it has right, and of how many."""
    if want.get("subject") is not None:
        yield "subjects", clean(found.get("subject")) == want["subject"], 1
    if want.get("recipients"):
        yield "recipients", set(want["recipients"]) <= {one.lower() for one in found.get("recipients", [])}, 1
    if want.get("text") and len(want["text"]) > 3:
        asked = words(want["text"])
        missing = asked - words(found.get("text"))
        yield "texts", sum(missing.values()) <= 0.02 * sum(asked.values()), 1
    if want.get("files"):
        yield "files", not collections.Counter(want["files"]) - collections.Counter(found.get("files", [])), 1
    asked = characters(want.get("subject")) + characters(want.get("text"))
    shown = characters(found.get("subject")) + characters(found.get("text"))
    yield "characters", sum((asked & shown).values()), sum(asked.values())


def stores(command, rows, folder):
    """How many messages, texts and files of stores a program writes, of how many. Each is found by its subject."""
    counts, of = collections.Counter(), collections.Counter()
    for want in rows:
        with tempfile.TemporaryDirectory() as out:
            subprocess.run(command(folder / want["file"], out), capture_output=True, timeout=600, check=False)
            found = [of_mail(path.read_bytes()) for path in Path(out).rglob("*") if path.is_file()]
        subjects = collections.Counter(clean(one["subject"]) for one in found)
        text = sum((words(one["text"]) for one in found), collections.Counter())
        files = collections.Counter(file for one in found for file in one["files"])
        for one in want["mail"]:
            of.update(messages=1, texts=1, files=len(one["files"]))
            if subjects[clean(one["subject"])] > 0:
                subjects[clean(one["subject"])] -= 1
                counts["messages"] += 1
            counts["texts"] += not words(one["body"]) - text
            counts["files"] += len(one["files"]) - sum((collections.Counter(one["files"]) - files).values())
    return counts, of


def table(head, rows, questions, of):
    print("| " + " | ".join([head, *rows]) + " |")
    print("|---|" + "---:|" * len(rows))
    for question in questions:
        print("| " + " | ".join([f"{question}, of {of[question]}", *(str(one[question]) for one in rows.values())]) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sevenbit", required=True)
    parser.add_argument("--msgreader", type=Path)
    parser.add_argument("--extract-msg")
    arguments = parser.parse_args()

    rows = [json.loads(line) for line in (arguments.folder / "expect.jsonl").open(encoding="utf-8")]
    rows = [{**row, **KNOWN.get(row["file"], {})} for row in rows]
    messages = [row for row in rows if row["file"].endswith(".msg") and not row.get("not_a_message")]
    paths = [arguments.folder.resolve() / row["file"] for row in messages]
    readers = {"sevenbit": by_command([arguments.sevenbit, "normalize", "-q", "--format", "eml"], paths)}
    if shutil.which("msgconvert"):
        readers["msgconvert"] = by_command(["msgconvert", "--outfile", "-"], paths)
    if arguments.extract_msg:
        readers["extract-msg"] = by_lines([arguments.extract_msg, "-c", EXTRACT_MSG], paths)
    if arguments.msgreader:
        script = Path(__file__).resolve().parent / "msgreader.mjs"
        readers["msgreader"] = by_lines(["node", str(script)], paths, cwd=arguments.msgreader)

    counts = {name: collections.Counter() for name in readers}
    of = collections.Counter()
    for name, found in readers.items():
        for want, one in zip(messages, found, strict=True):
            for question, number, asked in right(one, want):
                counts[name][question] += number
                of[question] += asked if name == "sevenbit" else 0
    table("`.msg`", counts, ["subjects", "recipients", "texts", "files", "characters"], of)

    print()
    pst = [row for row in rows if row.get("mail")]
    commands = {
        "sevenbit": lambda path, out: [arguments.sevenbit, "normalize", "-q", "--to", "eml", "-o", out, path],
        "readpst": lambda path, out: ["readpst", "-q", "-e", "-b", "-o", out, path],
    }
    if not shutil.which("readpst"):
        del commands["readpst"]
    found = {name: stores(command, pst, arguments.folder.resolve()) for name, command in commands.items()}
    table("stores", {name: one[0] for name, one in found.items()}, ["messages", "texts", "files"], found["sevenbit"][1])


if __name__ == "__main__":
    main()

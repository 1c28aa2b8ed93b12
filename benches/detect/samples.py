"""Labelled text of real mail: bodies, subjects and names, each with the label that its sender gave it.

Without labels that Python does not know, text that does not decode under its label, and ASCII; and without UTF-7,
which is never guessed.
"""
import codecs
import email
import email.header
import email.policy
import hashlib
import os
import pathlib
import re
import tarfile
from dataclasses import dataclass

# How all readers of mail read a label.
READ_AS = {
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030",
    "gbk": "gb18030", "big5": "big5hkscs", "euc_kr": "cp949", "shift_jis": "cp932", "euc_jp": "euc_jis_2004",
    "iso2022_jp": "iso2022_jp_ext",
}
OTHER_LABELS = {"gb2312_charset": "gb2312", "chinesebig5": "big5", "x-gbk": "gbk", "x-mac-cyrillic": "mac_cyrillic",
                "windows-874": "cp874", "ks_c_5601-1987": "cp949", "iso-8859-8-i": "iso8859-8", "x-sjis": "shift_jis",
                "windows-31j": "cp932", "x-euc-tw": "big5", "macintosh": "mac_roman", "ibm866": "cp866"}


@dataclass(frozen=True)
class Sample:
    kind: str
    label: str
    octets: bytes
    text: str

    @property
    def digest(self):
        return hashlib.sha256(self.octets).hexdigest()[:12]

    @property
    def significant(self):
        """How many octets are significant and not ASCII."""
        high = sum(octet > 127 for octet in self.octets)
        return high or 2 * sum(ord(char) > 127 for char in self.text)


def codec(label):
    """Python's codec for how a label is read; nothing if there is none."""
    label = label.strip().strip("\"'").lower()
    try:
        name = codecs.lookup(OTHER_LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return None
    return READ_AS.get(name, name)


def decode(octets, label):
    """The text of octets under a label; nothing if they are not text."""
    name = codec(label)
    if name is None or name in ("ascii", "utf-7", "hz") and not octets.isascii():
        return None
    for name in (name, {"cp1252": "latin-1"}.get(name, name)):
        try:
            return octets.decode(name)
        except (UnicodeError, ValueError):
            continue
    return None


def messages(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(".eml"):
                with open(path, "rb") as file:
                    yield file.read()
            elif name.endswith(".mbox") and "spamassassin" not in name:
                with open(path, "rb") as file:
                    yield from re.split(rb"(?m)^From .*\n(?=[!-9;-~]+:)", file.read())
            elif name.endswith(".tar"):
                with tarfile.open(path) as tar:
                    yield from (tar.extractfile(member).read() for member in tar if member.isfile())


def bodies(message):
    for part in message.walk():
        if part.get_content_maintype() != "text" or part.is_multipart():
            continue
        try:
            label, octets = part.get_content_charset(), part.get_payload(decode=True)
        except (LookupError, UnicodeError, ValueError, AttributeError):
            continue
        if label and octets:
            yield "body", label, octets


def words(message):
    """Subjects and display names that are encoded-words of one charset, with the ASCII around them."""
    for part in message.walk():
        for name, value in part.raw_items() if hasattr(part, "raw_items") else part.items():
            kind = {"subject": "subject", "from": "name", "to": "name", "cc": "name", "reply-to": "name"}.get(name.lower())
            if kind is None or "=?" not in str(value):
                continue
            pieces = str(value).split(",") if kind == "name" else [str(value)]
            for piece in pieces:
                try:
                    found = email.header.decode_header(piece)
                except (ValueError, email.errors.HeaderParseError):
                    continue
                labels = {label.lower() for _, label in found if label}
                if len(labels) != 1:
                    continue
                octets = b"".join(text if isinstance(text, bytes) else text.encode("latin-1", "replace")
                                  for text, label in found if kind == "subject" or label)
                yield kind, labels.pop(), octets


# Texts whose labels were found untrue by eye, by their digest.
UNTRUE = {line.split()[0] for line in (pathlib.Path(__file__).parent / "untrue.txt").read_text().splitlines()
          if line and not line.startswith("#")}


def is_belied(octets, name):
    """Whether a label is evidently not true: UTF-8 under another."""
    try:
        return name not in ("utf-8", "utf-16") and not octets.isascii() and octets.decode("utf-8") != ""
    except UnicodeError:
        return False


def samples(root):
    """Every sample once."""
    seen = set()
    for octets in messages(root):
        message = email.message_from_bytes(octets, policy=email.policy.compat32)
        for kind, label, octets in [*bodies(message), *words(message)]:
            name = codec(label)
            if name in (None, "utf-7", "utf_7") or (kind, octets) in seen:
                continue
            text = decode(octets, label)
            if text is None or text.isascii() or is_belied(octets, name):
                continue
            seen.add((kind, octets))
            sample = Sample(kind, label, octets, text)
            if sample.digest not in UNTRUE:
                yield sample

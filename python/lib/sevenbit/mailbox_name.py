"""The names of IMAP mailboxes (RFC 3501, 5.1.3: a modified UTF-7), alone and in the lines that a server lists them with.

>>> from sevenbit import mailbox_name
>>> mailbox_name.decode(b"Entw&APw-rfe"), mailbox_name.encode("Entwürfe")
('Entwürfe', b'Entw&APw-rfe')

What `imaplib` returns of `list()`:

>>> line = mailbox_name.parse_list_line(b'(\\\\HasNoChildren \\\\Drafts) "/" "Entw&APw-rfe"')
>>> line.name, line.flags, line.delimiter, line.quoted
('Entwürfe', ('\\\\HasNoChildren', '\\\\Drafts'), '/', b'"Entw&APw-rfe"')
"""

import re
from typing import NamedTuple

from sevenbit._sevenbit import decode_mailbox_name as decode
from sevenbit._sevenbit import encode_mailbox_name as encode

__all__ = ["ListLine", "decode", "encode", "parse_list_line", "quote"]


class ListLine(NamedTuple):
    """A mailbox, as a server lists it.

    >>> parse_list_line(b'() "." INBOX').octets
    b'INBOX'
    """

    name: str
    """Its name, for people."""
    flags: tuple[str, ...]
    """Its attributes: `\\\\Noselect`, `\\\\Sent`..."""
    delimiter: str | None
    """What separates the levels of names; None if there are none."""
    octets: bytes
    """Its name as the server writes it."""

    @property
    def quoted(self) -> bytes:
        """Its name as an argument of `imaplib`, which quotes nothing itself: `select(line.quoted)`."""
        return quote(self.octets)


def quote(name: str | bytes) -> bytes:
    """A name as an argument of a command of `imaplib`, which quotes nothing itself: `select(quote("Gesendete Entwürfe"))`. Text
    is encoded first; octets are a name as the server writes it.

    >>> quote("Gesendete Entwürfe"), quote(b'a "b"')
    (b'"Gesendete Entw&APw-rfe"', b'"a \\\\"b\\\\""')
    """
    octets = encode(name) if isinstance(name, str) else name
    return b'"' + re.sub(rb'(["\\])', rb"\\\1", octets) + b'"'


# mailbox-list = "(" [mbx-list-flags] ")" SP (DQUOTE QUOTED-CHAR DQUOTE / nil) SP mailbox       (RFC 3501, 9)
#
# 1. A name that is neither quoted nor a literal is the rest of the line: servers forget to quote spaces and brackets.
# 2. What follows a name (RFC 5258: ` ("CHILDINFO" ("SUBSCRIBED"))`) is ignored.
_QUOTED = rb'"((?:[^"\\]|\\.)*)"'
_LIST_LINE = re.compile(
    rb"(?:\* (?:LIST|LSUB|XLIST) )?\(([^()]*)\) +(?:NIL|" + _QUOTED + rb") +(?:" + _QUOTED + rb"|\{(\d+)\+?\}(?:\r?\n)?|)", re.I | re.S
)
_EXTENDED = re.compile(rb' \((?:CHILDINFO|OLDNAME|"[A-Z0-9-]+") \(.*\)\)$', re.I | re.S)


def parse_list_line(line: bytes | tuple[bytes, bytes]) -> ListLine:
    """The mailbox in a line of an answer to LIST, LSUB or XLIST, as `imaplib` returns it: with `* LIST` or without, and as
    a tuple if the name is a literal. A name that is not 7-bit is taken as UTF-8 (RFC 6855). A ValueError if it is no such line:
    `imaplib` also returns None, if there are no mailboxes, and empty lines after literals.

    >>> lines = [(b'() "/" {5}', b"a b c"), b"", b'(\\\\HasChildren) "/" INBOX ("CHILDINFO" ("SUBSCRIBED"))']
    >>> [parse_list_line(line).name for line in lines if line]
    ['a b c', 'INBOX']

    >>> parse_list_line((b'(\\\\Sent) "/" {11}', b"&AMk-t&AOk-")).name
    'Été'
    """
    start, literal = line if isinstance(line, tuple) else (line, None)
    if not isinstance(start, bytes):
        raise TypeError(f"argument 'line': expected bytes, or a tuple of them, not {type(line).__name__}")
    found = _LIST_LINE.match(start)
    if found is None:
        raise ValueError(f"argument 'line': not a line of LIST: {start!r}")
    flags, delimiter, quoted, length = found.groups()
    rest = start[found.end() :]
    if length is not None:
        octets = (rest if literal is None else literal)[: int(length)]
    else:
        octets = _EXTENDED.sub(b"", rest.rstrip(b"\r\n")) if quoted is None else _unquoted(quoted)
    return ListLine(
        name=octets.decode("utf-8", "replace") if not octets.isascii() else decode(octets),
        flags=tuple(flags.decode("ascii", "replace").split()),
        delimiter=None if delimiter is None else _unquoted(delimiter).decode("utf-8", "replace"),
        octets=octets,
    )


def _unquoted(text: bytes) -> bytes:
    return re.sub(rb"\\(.)", rb"\1", text, flags=re.S)

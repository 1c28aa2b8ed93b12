"""Python's own classes for mail: `email.message.EmailMessage` and `mailbox.Mailbox`, in and out.

>>> import sevenbit.email
>>> message = sevenbit.email.message_from_bytes(b"Subject: caf\\xe9\\r\\n\\r\\nd\\xe9j\\xe0 vu\\r\\n")
>>> message["subject"], message.get_content()
('café', 'déjà vu\\r\\n')
>>> message.replace_header("subject", "naïve")
>>> sevenbit.email.as_bytes(message).splitlines()[0]
b'Subject: =?utf-8?B?bmHDr3Zl?='
"""

from __future__ import annotations

import contextlib
import email
import email.errors
import email.generator
import email.header
import email.headerregistry
import email.message
import email.policy
import io
import mailbox
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import sevenbit

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["as_bytes", "copy", "message_from_bytes", "normalized"]

_ARCHIVE = sevenbit.Normalizer()
_MBOXES = (mailbox.mbox, mailbox.MMDF)


def message_from_bytes(
    octets: Buffer,
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """The normal form of a message, as `email` sees it: with the archive profile its text is UTF-8 and its structure is
    sound, so that nothing is left that `email` misreads, or fails on.

    A TypeError if `octets` is not a buffer.

    >>> message_from_bytes(b"From: J\\xf6rg <j@example.org>\\r\\n\\r\\n")["from"].addresses[0].display_name
    'Jörg'
    """
    factory = getattr(policy, "header_factory", None)  # the policy compat32 has none
    if factory is not None:
        policy = cast(Any, policy).clone(header_factory=_Fields(factory))
    return email.message_from_bytes(normalizer.normalize(octets).octets, policy=policy)


class _Fields:
    """A factory of fields that also reads those that `email` fails on."""

    def __init__(self, factory: Callable[[str, str], Any]) -> None:
        self._factory = factory

    def __call__(self, name: str, value: str) -> Any:
        try:
            return self._factory(name, value)
        except UnicodeDecodeError:
            # Octets of a parameter that are no text in the charset that it names become surrogates, as octets without one do.
            return self._factory(name, _NAMED_CHARSET.sub(r"\1unknown-8bit'", value))
        except Exception:
            # Its parser of addresses and ids has faults of its own: `From: . <user@example.org>`. The field is text then.
            return _TEXT(name, value)


_NAMED_CHARSET = re.compile(r"(\*=)[^'\";]*'")
_TEXT = email.headerregistry.HeaderRegistry(use_default_map=False)


def as_bytes(message: "email.message.Message[Any, Any]", *, normalizer: sevenbit.Normalizer = _ARCHIVE) -> bytes:
    """The octets of a message of `email` in their normal form: 7-bit safe, lines ending with CRLF.

    Fields that were read stay as they were until they are normalised: `email` would fold them, and tear what it cannot read.
    White space after a colon, and empty lines in attached messages and reports, are as `email` keeps them.

    >>> message = email.message.EmailMessage()
    >>> message["Subject"] = "déjà vu"
    >>> as_bytes(message).splitlines()[0]
    b'Subject: =?utf-8?B?ZMOpasOg?= vu'
    """
    if not isinstance(message, email.message.Message):
        raise TypeError(f"argument 'message': expected a message of `email`, not {type(message).__name__}")
    written = io.BytesIO()
    _Generator(written, mangle_from_=False, policy=_AS_IT_IS).flatten(message)
    return normalizer.normalize(written.getvalue()).octets


# `email` may write 8-bit content as 8-bit: it is made 7-bit afterwards, whatever the charset. Its newer policies parse fields,
# and fail on some.
_AS_IT_IS = email.policy.compat32.clone(cte_type="8bit", linesep="\r\n")


class _Generator(email.generator.BytesGenerator):
    """Python's own, but for fields that were read, and for content that it fails on."""

    def write(self, text: str) -> None:
        cast(Any, self)._fp.write(text.encode("utf-8", "surrogateescape"))

    def _write_headers(self, message: "email.message.Message[Any, Any]") -> None:
        for name, value in message.raw_items():
            cast(Any, self)._fp.write(_field(name, value))
        # Where no empty line was read, the first line of the text ends the header, and would not do so after one.
        if not any(isinstance(defect, email.errors.MissingHeaderBodySeparatorDefect) for defect in message.defects):
            self.write("\r\n")

    def _handle_text(self, message: "email.message.Message[Any, Any]") -> None:
        payload = cast(Any, message)._payload
        cast(Any, self)._write_lines(payload if isinstance(payload, str) else "")

    def _handle_multipart(self, message: "email.message.Message[Any, Any]") -> None:
        if isinstance(cast(Any, message)._payload, str):  # it has no parts after all
            self._handle_text(message)
        else:
            cast(Any, super())._handle_multipart(message)

    _writeBody = _handle_text


def _field(name: str, value: Any) -> bytes:
    """A field: folded by `email` if it was set, as it was if it was read."""
    if isinstance(value, email.header.Header):  # of the policy compat32
        value = value.encode(maxlinelen=0)
    text = f"{name}: {value}"
    if hasattr(value, "fold"):
        # It may be text that `email` itself cannot write.
        with contextlib.suppress(Exception):
            text = value.fold(policy=email.policy.SMTPUTF8)
    # A line that does not continue the field would be another one.
    lines = "\r\n".join(re.split(r"\r\n|\r|\n", text.rstrip("\r\n")))
    return re.sub(r"\r\n(?![ \t])", "\r\n ", lines).encode("utf-8", "surrogateescape") + b"\r\n"


def normalized(
    source: "mailbox.Mailbox[Any]", *, normalizer: sevenbit.Normalizer = _ARCHIVE
) -> Iterator[tuple[str, sevenbit.Normalized]]:
    """Each message of a mailbox: its key, and its normal form.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> box = mailbox.mbox(f"{folder}/a")
    >>> _ = box.add(b"Subject: caf\\xe9\\n\\n")
    >>> [(key, done.changed) for key, done in normalized(box)]
    [(0, True)]
    """
    if not isinstance(source, mailbox.Mailbox):
        raise TypeError(f"argument 'source': expected a mailbox.Mailbox, not {type(source).__name__}")
    keys = list(source.keys())
    return zip(keys, normalizer.normalize_many(source.get_bytes(key) for key in keys), strict=True)


def copy(
    source: "mailbox.Mailbox[Any]",
    destination: "mailbox.Mailbox[Any]",
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
) -> int:
    """Adds the normal form of each message of one mailbox to another; returns how many there were.

    Octets are written as they are, not by way of `email`, with LF as in mailboxes on disk. From Maildir to Maildir flags are
    kept, and seen messages stay in `cur`; an mbox has them in the messages. From mbox to mbox the `From ` lines are kept. The
    caller has to call `destination.flush()`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> box = mailbox.mbox(f"{folder}/a")
    >>> _ = box.add(b"Subject: caf\\xe9\\n\\n")
    >>> copy(box, mailbox.Maildir(f"{folder}/b"))
    1
    """
    count = 0
    for key, done in normalized(source, normalizer=normalizer):
        octets = done.octets.replace(b"\r\n", b"\n")
        if isinstance(source, _MBOXES) and isinstance(destination, _MBOXES):
            octets = source.get_bytes(key, from_=True).partition(b"\n")[0] + b"\n" + octets
        added = destination.add(octets)
        if isinstance(source, mailbox.Maildir) and isinstance(destination, mailbox.Maildir):
            _keep_flags(source, key, destination, added)
        count += 1
    return count


def _keep_flags(source: mailbox.Maildir, key: str, destination: mailbox.Maildir, added: str) -> None:
    """Moves a message that was just added to where its flags say. Python itself can do that from 3.13 on."""
    message = source.get_message(key)
    if message.get_subdir() == "cur":
        folder = Path(cast(Any, destination)._path)
        (folder / "new" / added).rename(folder / "cur" / f"{added}:{message.get_info() or '2,'}")

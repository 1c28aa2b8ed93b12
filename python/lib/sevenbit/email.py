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

import email
import email.policy
import mailbox
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import sevenbit

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["as_bytes", "copy", "message_from_bytes", "normalized"]

_ARCHIVE = sevenbit.Normalizer()


def message_from_bytes(
    octets: Buffer,
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """The normal form of a message, as `email` sees it: with the archive profile its text is UTF-8 and its structure is
    sound, so that nothing is left that `email` misreads, or fails on.

    A TypeError if `octets` is not a buffer.
    """
    return email.message_from_bytes(normalizer.normalize(octets).octets, policy=policy)


def as_bytes(message: "email.message.Message[Any, Any]", *, normalizer: sevenbit.Normalizer = _ARCHIVE) -> bytes:
    """The octets of a message of `email` in their normal form: 7-bit safe, lines ending with CRLF."""
    # `email` may write 8-bit content as 8-bit: it is made 7-bit here, whatever the charset.
    return normalizer.normalize(message.as_bytes(policy=email.policy.SMTPUTF8.clone(cte_type="8bit"))).octets


def normalized(
    source: "mailbox.Mailbox[Any]", *, normalizer: sevenbit.Normalizer = _ARCHIVE
) -> Iterator[tuple[str, sevenbit.Normalized]]:
    """Each message of a mailbox: its key, and its normal form."""
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
    kept, and seen messages stay in `cur`; an mbox has them in the messages. The caller has to call `destination.flush()`.
    """
    count = 0
    for key, done in normalized(source, normalizer=normalizer):
        added = destination.add(done.octets.replace(b"\r\n", b"\n"))
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

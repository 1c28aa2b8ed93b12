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
import email.contentmanager
import email.errors
import email.generator
import email.header
import email.headerregistry
import email.message
import email.policy
import io
import mailbox
import os
import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import sevenbit

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = [
    "as_bytes",
    "copy",
    "message_from_binary_file",
    "message_from_bytes",
    "message_from_file",
    "message_from_string",
    "normalized",
]

_ARCHIVE = sevenbit.Normalizer()
_MBOXES = (mailbox.mbox, mailbox.MMDF)
_MBOX_MESSAGES = (mailbox.mboxMessage, mailbox.MMDFMessage)


def message_from_bytes(
    octets: Buffer,
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """The normal form of a message, as `email` sees it: with the archive profile its text is UTF-8 and its structure is
    sound, so that nothing is left that `email` misreads, or fails on. Lines end as in the message: with LF if its first one
    does. Text in a charset that Python lacks is read by `get_content` all the same, as sevenbit reads it.

    A TypeError if `octets` is not a buffer.

    >>> message_from_bytes(b"From: J\\xf6rg <j@example.org>\\r\\n\\r\\n")["from"].addresses[0].display_name
    'Jörg'
    """
    given = memoryview(octets).tobytes()
    normal = normalizer.normalize(given).octets
    first = given.find(b"\n")
    has_lf = first >= 0 and given[first - 1 : first] != b"\r"
    if has_lf:
        normal = normal.replace(b"\r\n", b"\n")
    # The policy compat32 has neither.
    changes: dict[str, Any] = {}
    if (factory := getattr(policy, "header_factory", None)) is not None:
        changes["header_factory"] = _Fields(factory)
    if (manager := getattr(policy, "content_manager", None)) is not None:
        changes["content_manager"] = _Contents(manager, has_lf)
    return email.message_from_bytes(normal, policy=cast(Any, policy).clone(**changes))


def message_from_binary_file(
    file: IO[bytes],
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """`message_from_bytes` of what a file contains that is open for reading octets.

    >>> message_from_binary_file(io.BytesIO(b"Subject: caf\\xe9\\n\\n"))["subject"]
    'café'
    """
    return message_from_bytes(file.read(), normalizer=normalizer, policy=policy)


def message_from_string(
    text: str,
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """`message_from_bytes` of a message that is text already: in UTF-8, lone surrogates standing for octets.

    >>> message_from_string("Subject: café\\n\\ndéjà vu\\n").get_content()
    'déjà vu\\n'
    """
    return message_from_bytes(text.encode("utf-8", "surrogateescape"), normalizer=normalizer, policy=policy)


def message_from_file(
    file: IO[str],
    *,
    normalizer: sevenbit.Normalizer = _ARCHIVE,
    policy: "email.policy.Policy[EmailMessage]" = email.policy.SMTP,
) -> EmailMessage:
    """`message_from_string` of what a file contains that is open as text.

    >>> message_from_file(io.StringIO("Subject: café\\n\\n"))["subject"]
    'café'
    """
    return message_from_string(file.read(), normalizer=normalizer, policy=policy)


class _Contents(email.contentmanager.ContentManager):
    """Python's own, but for text in charsets that Python lacks, and for the ends of lines that are encoded."""

    def __init__(self, manager: email.contentmanager.ContentManager, has_lf: bool) -> None:
        super().__init__()
        self._manager = manager
        self._has_lf = has_lf

    def get_content(self, msg: "email.message.Message[Any, Any]", *args: Any, **kw: Any) -> Any:
        is_text = msg.get_content_maintype() == "text"
        try:
            content = self._manager.get_content(msg, *args, **kw)
        except LookupError:
            if not is_text:
                raise
            content = _text(msg)
        return content.replace("\r\n", "\n") if self._has_lf and is_text and isinstance(content, str) else content

    def set_content(self, msg: "email.message.Message[Any, Any]", obj: Any, *args: Any, **kw: Any) -> Any:
        return self._manager.set_content(msg, obj, *args, **kw)


def _text(message: Any) -> str:
    """The content of a text part as sevenbit reads it: by its label, else as it seems to be."""
    octets = message.get_payload(decode=True)
    try:
        charset = sevenbit.Charset(message.get_param("charset", "us-ascii"), lenient=True)
    except (TypeError, ValueError):
        charset = sevenbit.detect(octets).charset
    return charset.decode(octets) if charset.is_decodable else octets.decode("ascii", "replace")


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

    Octets are written as they are, not by way of `email`, with LF as in mailboxes on disk. Flags and dates are kept as
    `mailbox` converts them between its formats (`MaildirMessage(mboxMessage)`), and drafts: an mbox has them in fields of the
    messages and in `From ` lines, a Maildir in names of files, MH in sequences. Such fields in a Maildir or MH are not believed.
    Labels of Babyl are not kept, nor are the folders in a mailbox. The caller has to call `destination.flush()`.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> box = mailbox.mbox(f"{folder}/a")
    >>> _ = box.add(b"Status: RO\\nSubject: caf\\xe9\\n\\n")
    >>> copied = mailbox.Maildir(f"{folder}/b")
    >>> copy(box, copied), [message.get_flags() for message in copied]
    (1, ['S'])
    """
    count = 0
    for key, done in normalized(source, normalizer=normalizer):
        octets = done.octets.replace(b"\r\n", b"\n")
        state = _state(source, key, destination)
        if isinstance(source, _MBOXES) and not isinstance(destination, _MBOXES):
            octets = _without_status(octets)
        if isinstance(destination, _MBOXES):
            octets = _for_mbox(source, key, state, octets)
        added = destination.add(octets)
        if isinstance(destination, mailbox.Maildir):
            _set_maildir(destination, added, state)
        elif isinstance(destination, mailbox.MH) and isinstance(state, mailbox.MHMessage):
            _set_sequences(destination, added, state)
        count += 1
    return count


_STATES: list[tuple[type, Any]] = [
    (mailbox.Maildir, mailbox.MaildirMessage),
    (mailbox.mbox, mailbox.mboxMessage),
    (mailbox.MMDF, mailbox.MMDFMessage),
    (mailbox.MH, mailbox.MHMessage),
]


def _state(source: "mailbox.Mailbox[Any]", key: Any, destination: "mailbox.Mailbox[Any]") -> Any:
    """The flags and the date of a message, in the form of the destination."""
    message: Any = source.get_message(key)
    if not isinstance(source, _MBOXES):
        # What such fields say is of another mailbox, or of whoever sent the message: `mailbox` would add it to the flags.
        del message["Status"], message["X-Status"]
    kinds = [kind for box, kind in _STATES if isinstance(destination, box)]
    state = kinds[0](message) if kinds else None
    # `mailbox` drops that a message is a draft, which mail programs keep as `X-Status: T`.
    if isinstance(message, mailbox.MaildirMessage) and isinstance(state, _MBOX_MESSAGES) and "D" in message.get_flags():
        state.add_flag("T")
    if isinstance(message, _MBOX_MESSAGES) and isinstance(state, mailbox.MaildirMessage) and "T" in message.get_flags():
        state.add_flag("D")
    return state


# The fields in which an mbox has flags, in the header, with what continues them.
_STATUS = re.compile(rb"^(?:X-)?Status:.*\n(?:[ \t].*\n)*", re.I | re.M)


def _without_status(octets: bytes) -> bytes:
    """A message without the fields in which an mbox has its flags."""
    header, empty, body = octets.partition(b"\n\n")
    return _STATUS.sub(b"", header + b"\n") + empty[1:] + body


def _for_mbox(source: "mailbox.Mailbox[Any]", key: Any, state: Any, octets: bytes) -> bytes:
    """A message as it is added to an mbox: after its `From ` line, with its flags in fields."""
    if isinstance(source, _MBOXES):
        return source.get_bytes(key, from_=True).partition(b"\n")[0] + b"\n" + octets
    fields = b"".join(f"{name}: {state[name]}\n".encode() for name in ("Status", "X-Status") if state[name])
    header, empty, body = _without_status(octets).partition(b"\n\n")
    return f"From {state.get_from()}\n".encode() + header.rstrip(b"\n") + b"\n" + fields + (empty[1:] or b"\n") + body


def _set_maildir(destination: mailbox.Maildir, added: str, state: mailbox.MaildirMessage) -> None:
    """Moves a message that was just added to where its flags say. Python itself can do that from 3.13 on."""
    folder = Path(cast(Any, destination)._path)
    file = folder / "new" / added
    os.utime(file, (file.stat().st_atime, state.get_date()))
    if state.get_subdir() == "cur":
        file.rename(folder / "cur" / f"{added}:{state.get_info() or '2,'}")


def _set_sequences(destination: mailbox.MH, added: Any, state: mailbox.MHMessage) -> None:
    sequences = destination.get_sequences()
    for name in state.get_sequences():
        sequences.setdefault(name, []).append(added)
    destination.set_sequences(sequences)

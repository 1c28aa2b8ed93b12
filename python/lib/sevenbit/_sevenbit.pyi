from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, final, type_check_only

from typing_extensions import Buffer

__all__ = [
    "_Many",
    "_OPTIONS",
    "_WORDS",
    "_Rows",
    "_columns_of",
    "_cuts_in",
    "_cuts_of",
    "_index_of",
    "_messages_in",
    "_quote_mbox",
    "Attachment",
    "AuthenticationResult",
    "AuthenticationResults",
    "Charset",
    "Decoder",
    "Encoder",
    "Group",
    "Guess",
    "Hop",
    "Issue",
    "Limits",
    "Mailbox",
    "MailboxWarning",
    "MailingList",
    "Message",
    "Normalized",
    "Normalizer",
    "OutlookMessages",
    "Part",
    "Passage",
    "Reading",
    "Report",
    "ReportedRecipient",
    "__version__",
    "base_subject",
    "decode_header",
    "decode_mailbox_name",
    "decode_utf7",
    "detect",
    "detect_all",
    "encode_header",
    "encode_mailbox_name",
    "encode_utf7",
    "normalize",
    "normalize_many",
    "parse",
    "passages",
    "read_outlook",
    "readings",
    "repair_text",
    "safe_file_name",
    "unpack_tnef",
]

_Column: TypeAlias = tuple[int, list[bytes | None], list[Any]]

@type_check_only
class _File(Protocol):
    def read(self) -> bytes: ...

_Mail: TypeAlias = Buffer | PathLike[str] | _File

_OPTIONS: tuple[tuple[str, list[str]], ...]
_WORDS: tuple[str, ...]
__version__: str

@final
class Limits:
    """Bounds on what is parsed of a message. Anything beyond is carried as an opaque part, and reported.

    >>> Limits(depth=20).parts
    10000
    """
    def __new__(cls, *, depth: int = 100, parts: int = 10_000, header_octets: int = 1_048_576) -> Limits: ...
    @property
    def depth(self) -> int:
        """How deep multiparts and messages may nest."""
    @property
    def parts(self) -> int:
        """How many entities a message may have."""
    @property
    def header_octets(self) -> int:
        """How many octets of one header section are parsed."""
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Issue:
    """Something that was odd, or was done about it. The Python object is made on demand.

    >>> issue = normalize(b"Subject: caf\\xe9\\r\\n\\r\\n").issues[0]
    >>> issue.code, issue.severity, issue.rule, issue.part, issue.span
    ('raw-header-text', 'repair', 'H3', '0', (8, 13))
    """
    def __new__(cls, code: str, part: str = "0", span: tuple[int, int] = ..., detail: str = "", charset: str | None = None) -> Issue: ...
    def __getnewargs__(self) -> tuple[str, str, tuple[int, int], str, str | None]: ...
    @property
    def code(self) -> str:
        """The code, a stable word: "charset-guessed"."""
    @property
    def severity(self) -> Literal["note", "repair", "loss"]:
        """How bad it is: "note", "repair" or "loss"."""
    @property
    def rule(self) -> str:
        """The rule of the normal form that applies: "B7"."""
    @property
    def part(self) -> str:
        """The IMAP section of the part it is in; "0" is the message's own header."""
    @property
    def span(self) -> tuple[int, int]:
        """The octets of the input that it is about, as (from, to)."""
    @property
    def detail(self) -> str:
        """The detail, for people: what was done, or to what. May be empty."""
    @property
    def charset(self) -> str | None:
        """The charset that was guessed, of a "charset-guessed"; None of others, and if nobody knows it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Normalized:
    """A message in its normal form.

    >>> done = normalize(b"Subject: caf\\xe9\\r\\n\\r\\n")
    >>> done.octets, done.changed, [issue.code for issue in done.issues]
    (b'Subject: =?utf-8?B?Y2Fmw6k=?=\\r\\n\\r\\n', True, ['raw-header-text', 'charset-guessed'])
    """
    def __new__(
        cls, octets: bytes, issues: Sequence[Issue] = ..., changed: bool = False, refused: bool = False
    ) -> Normalized: ...
    def __getnewargs__(self) -> tuple[bytes, tuple[Issue, ...], bool, bool]: ...
    @property
    def octets(self) -> bytes:
        """The octets of the message."""
    @property
    def changed(self) -> bool:
        """Whether they differ from the input."""
    @property
    def refused(self) -> bool:
        """Whether the message stays as it was because a signature would have broken (`signed="refuse"`)."""
    @property
    def issues(self) -> tuple[Issue, ...]:
        """The issues, in the order of the input. Made when first asked for."""
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Normalizer:
    """How messages are normalised: options once, then any number of messages, from any number of threads.

    >>> transport = Normalizer(profile="transport")
    >>> transport.normalize("Subject: café\\r\\n\\r\\n".encode()).octets
    b'Subject: =?utf-8?B?Y2Fmw6k=?=\\r\\n\\r\\n'
    """
    def __new__(
        cls,
        *,
        profile: Literal["archive", "transport"] = "archive",
        signed: Literal["break", "refuse"] = "break",
        text_encoding: Literal["mime", "utf-7"] = "mime",
        undecodable: Literal["keep", "replace"] = "keep",
        doubtful: Literal["note", "keep", "repair"] = "note",
        unlabelled: Literal["guess", "keep"] = "guess",
        markup: Literal["rewrite", "keep"] = "rewrite",
        comment_names: Literal["keep", "rewrite"] = "keep",
        limits: Limits | None = None,
        read_as: Charset | str | None = None,
    ) -> Normalizer: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def normalize(self, message: _Mail) -> Normalized:
        """The message in its normal form."""
    def normalize_many(self, messages: Iterable[_Mail]) -> _Many:
        """The messages in their normal form, in order, produced on demand. Up to a quarter of a megabyte is taken from
        `messages` and processed together: faster than one by one, and other threads run meanwhile.
        """

@final
class _Many:
    def __iter__(self) -> Iterator[Normalized]: ...
    def __next__(self) -> Normalized: ...

def normalize(
    message: _Mail,
    *,
    profile: Literal["archive", "transport"] = "archive",
    signed: Literal["break", "refuse"] = "break",
    text_encoding: Literal["mime", "utf-7"] = "mime",
    undecodable: Literal["keep", "replace"] = "keep",
    doubtful: Literal["note", "keep", "repair"] = "note",
    unlabelled: Literal["guess", "keep"] = "guess",
    markup: Literal["rewrite", "keep"] = "rewrite",
    comment_names: Literal["keep", "rewrite"] = "keep",
    limits: Limits | None = None,
    read_as: Charset | str | None = None,
) -> Normalized:
    """The message in its normal form, with the issues found. Any octets give a result.

    `message` is one message, with any line ends: a buffer, a path, or a file that is open for reading octets. A message that is already in its normal form comes back as
    the same object, if that was `bytes`. An mbox of several messages is taken for one, with a `MailboxWarning`.

    `profile`: "archive" makes every header and text UTF-8; "transport" changes only what is not 7-bit safe.
    `signed`: "break" makes signed content safe anyway and reports it; "refuse" returns such messages as they were.
    `undecodable`: "replace" writes U+FFFD for octets that are not text under its label, where "keep" keeps the octets.
    `markup`: "rewrite" changes the charset that HTML and XML declare inside, "keep" does not.
    `limits`: bounds on what is parsed.
    `unlabelled`: in transport, "guess" (the default) labels 8-bit text without a label with the charset that it seems
    to be in, if that is sure; "keep" labels it unknown-8bit. The octets are the same.
    `text_encoding`: "utf-7" writes text in UTF-7 as well, if that is shorter.
    `doubtful`: in an archive, text that reads as mojibake is reported ("note"), written as it was meant ("repair"), or
    passed over ("keep").
    `comment_names`: in an archive, "rewrite" writes the name of `ada@example.org (Ada)` before the address.
    `read_as`: the charset that a person has chosen, itself or its label: an archive reads text in it, whatever its label,
    wherever the octets are text in it. What is labelled UTF-8, and is, stays. `Part.readings` says which charsets are plausible.

    >>> done = normalize("Subject: déjà vu\\r\\n\\r\\n".encode("latin-1"))
    >>> done.octets
    b'Subject: =?utf-8?B?ZMOpasOg?= vu\\r\\n\\r\\n'
    >>> [issue.code for issue in done.issues]
    ['raw-header-text', 'charset-guessed']
    """
def normalize_many(
    messages: Iterable[_Mail],
    *,
    profile: Literal["archive", "transport"] = "archive",
    signed: Literal["break", "refuse"] = "break",
    text_encoding: Literal["mime", "utf-7"] = "mime",
    undecodable: Literal["keep", "replace"] = "keep",
    doubtful: Literal["note", "keep", "repair"] = "note",
    unlabelled: Literal["guess", "keep"] = "guess",
    markup: Literal["rewrite", "keep"] = "rewrite",
    comment_names: Literal["keep", "rewrite"] = "keep",
    limits: Limits | None = None,
    read_as: Charset | str | None = None,
) -> _Many:
    """Many messages in their normal form, in order, produced on demand; the options are those of `normalize`.

    Up to a quarter of a megabyte of messages is taken from the iterable and processed together: faster than one by one, and
    other threads run meanwhile.

    >>> [done.changed for done in normalize_many([b"A: b\\r\\n\\r\\n", b"A: \\xc3\\xa9\\r\\n\\r\\n"])]
    [False, True]
    """

@final
class Mailbox:
    """A mailbox of an address field: a display name, empty if there is none, and an addr-spec.

    >>> match Mailbox("Zoë", "zoe@example.org"):
    ...     case Mailbox(name, address):
    ...         print(name, address)
    Zoë zoe@example.org
    """
    __match_args__: tuple[Literal["name"], Literal["address"]]
    def __new__(cls, name: str, address: str) -> Mailbox: ...
    def __getnewargs__(self) -> tuple[str, str]: ...
    @property
    def name(self) -> str:
        """The display name; empty if there is none."""
    @property
    def address(self) -> str:
        """The addr-spec, never decoded."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class MailboxWarning(UserWarning):
    """The warning that an mbox of several messages is taken for one message. `mailbox.mbox` of Python and `sevenbit.lake.read` read
    each message in it.

    >>> import warnings
    >>> box = b"From a@example.org Thu Nov 19 10:00:00 2026\\nSubject: one\\n\\n" * 2
    >>> with warnings.catch_warnings(action="error"):
    ...     parse(box)
    Traceback (most recent call last):
        ...
    sevenbit.MailboxWarning: an mbox of several messages is taken for one message; mailbox.mbox or sevenbit.lake.read reads each of them
    """

@final
class Message:
    """A parsed message: header fields, mailboxes and parts as clean Unicode. Parsing finds structure; text is decoded
    on demand.

    >>> message = parse("From: Jörg <j@example.org>\\r\\nSubject: café\\r\\n\\r\\ndéjà vu\\r\\n".encode())
    >>> message.subject, message.mailboxes("from")[0].name, message.text
    ('café', 'Jörg', 'déjà vu\\n')
    """
    @property
    def subject(self) -> str | None:
        """The subject."""
    def header(self, name: str) -> str | None:
        """The text of the first field of that name, ignoring case; None if there is none."""
    @property
    def headers(self) -> list[tuple[str, str]]:
        """Every field of the header in order, as (name, text)."""
    def mailboxes(self, name: str) -> list[Mailbox]:
        """The mailboxes of all fields of that name ("from", "to", "cc"...), groups flattened."""
    @property
    def date(self) -> datetime | None:
        """When the message was written; None if there is no date, or none that Python's calendar has."""
    @property
    def date_is_guess(self) -> bool:
        """Whether the day, the year or the zone of the date is a guess: it is read as people's clients read it (docs/view.md)."""
    @property
    def message_id(self) -> str | None:
        """The message id, without its angle brackets."""
    @property
    def in_reply_to(self) -> list[str]:
        """The ids of the messages that this answers."""
    @property
    def references(self) -> list[str]:
        """The ids of the thread, from its first message on."""
    @property
    def plain_body(self) -> list[Part]:
        """The parts to show, one after the other, where plain text is preferred; HTML is among them if it has no
        alternative. This, `html_body` and `attachments` are those of JMAP (RFC 8621, 4.1.4).
        """
    @property
    def html_body(self) -> list[Part]:
        """The parts to show where HTML is preferred; plain text is among them if it has no alternative."""
    @property
    def text(self) -> str:
        """The text that a person reads: the plain text, or else the HTML as text, all parts of the body in order; lines of
        `format=flowed` are joined, files inside of the text are left out.

        >>> parse(b"Content-Type: text/html\\r\\n\\r\\n<p>one<p>two").text
        'one\\n\\ntwo\\n'
        """
    @property
    def html(self) -> str | None:
        """The HTML, all parts of the body in order, plain ones escaped between; None if none is HTML. Sanitise it before
        it is shown.
        """
    def resolved_html(self, resolve: Callable[[str], str | None]) -> str | None:
        """The HTML with the address that `resolve` returns for each `cid:` in it; None leaves it.

        >>> message = parse(b"Content-Type: text/html\\r\\n\\r\\n<img src='cid:a@b'>")
        >>> message.resolved_html(lambda content_id: f"/parts/{content_id}")
        "<img src='/parts/a@b'>\"
        """
    @property
    def attachments(self) -> list[Attachment]:
        """Every file of the message in order: parts, pictures between texts, files inside of text, the contents of a
        `winmail.dat`.
        """
    @property
    def attachment_parts(self) -> list[Part]:
        """The parts that JMAP calls attachments (RFC 8621, 4.1.4)."""
    def headers_named(self, name: str) -> list[str]:
        """The texts of all fields of that name in order, ignoring case."""
    def addresses(self, name: str) -> list[Mailbox | Group]:
        """The entries of all fields of that name, each a `Mailbox` or a `Group`.

        >>> parse(b"To: undisclosed-recipients:;\\r\\n\\r\\n").addresses("to")[0].name
        'undisclosed-recipients'
        """
    @property
    def ancestors(self) -> list[str]:
        """The ids of the messages that this follows, from the first of the thread on: `references` with those of
        `in_reply_to` that are missing there.
        """
    @property
    def thread_key(self) -> str | None:
        """A key that the messages of a thread have in common."""
    @property
    def mailing_list(self) -> MailingList | None:
        """The mailing list that the message came by."""
    @property
    def auto_submitted(self) -> str | None:
        """The word of Auto-Submitted, in lower case: "auto-replied", "no"..."""
    @property
    def precedence(self) -> str | None:
        """The word of Precedence, in lower case: "bulk", "list"..."""
    @property
    def importance(self) -> str | None:
        """How much the message matters, as its sender says: "high", "normal" or "low"."""
    @property
    def hops(self) -> list[Hop]:
        """The stations on the message's way, the first one first."""
    @property
    def authentication_results(self) -> list[AuthenticationResults]:
        """The servers' results about the message's origin, one for each method, the newest server first."""
    @property
    def report(self) -> Report | None:
        """The report of the message about another one: that it was not delivered, was read, or was called spam."""
    @property
    def parts(self) -> list[Part]:
        """The entities in document order, the message itself first."""
    @property
    def leaves(self) -> list[Part]:
        """The parts that have content of their own, in document order."""
    @property
    def issues(self) -> list[Issue]:
        """The issues of the message: what an archive would have to report."""
    @property
    def octets(self) -> bytes:
        """The octets that were parsed."""

@final
class Part:
    """One entity of a message: a leaf, a multipart, or a message in a message. Two are equal if they are the same part of equal
    messages.

    >>> message = parse(b"Content-Type: text/html; charset=koi8-r\\r\\n\\r\\n<p>\\xf0\\xd2\\xc9\\r\\n")
    >>> [(part.path, part.media_type, part.text) for part in message.parts]
    [('1', 'text/html', '<p>При\\n')]
    """
    @property
    def path(self) -> str:
        """The IMAP section, "1.2"; empty for a message that is a multipart."""
    @property
    def is_leaf(self) -> bool:
        """Whether it has content of its own."""
    @property
    def depth(self) -> int:
        """How many multiparts and messages are around it; that of the message itself is 0."""
    @property
    def media_type(self) -> str:
        """The media type in lower case, "text/plain" if none can be read."""
    @property
    def charset_label(self) -> str | None:
        """The charset label as given."""
    @property
    def charset(self) -> Charset | None:
        """The charset that the label names."""
    @property
    def transfer_encoding(self) -> str:
        """The transfer encoding in lower case, as it was read."""
    @property
    def disposition(self) -> str | None:
        """"inline", "attachment"..., in lower case."""
    @property
    def filename(self) -> str | None:
        """The file name, from Content-Disposition or Content-Type."""
    @property
    def content_id(self) -> str | None:
        """The id by which `cid:` in HTML names it, without its angle brackets."""
    def parameter(self, name: str) -> str | None:
        """The text of a parameter of its Content-Type, by its name in lower case."""
    def header(self, name: str) -> str | None:
        """The text of the first field of that name in this part's header, ignoring case."""
    @property
    def headers(self) -> list[tuple[str, str]]:
        """Every field of this part's header in order, as (name, text)."""
    @property
    def raw_headers(self) -> list[tuple[str, bytes]]:
        """Every field of this part's header in order, as (name, octets): what stands after the colon, with white space and folds,
        without the last line end.

        >>> parse(b"Subject: caf\\xe9\\r\\n au lait\\r\\n\\r\\n").parts[0].raw_headers
        [('Subject', b' caf\\xe9\\r\\n au lait')]
        """
    def mailboxes(self, name: str) -> list[Mailbox]:
        """The mailboxes of all fields of that name in this part's header."""
    def headers_named(self, name: str) -> list[str]:
        """The texts of all fields of that name in this part's header, in order."""
    def addresses(self, name: str) -> list[Mailbox | Group]:
        """The entries of all fields of that name in this part's header, each a `Mailbox` or a `Group`."""
    @property
    def span(self) -> tuple[int, int]:
        """Its octets in the message, as (from, to)."""
    @property
    def octets(self) -> bytes:
        """The content, transfer encoding removed. Line ends are as they were stored."""
    @property
    def text(self) -> str | None:
        """The content of a text leaf, line ends as LF; None for other types."""
    @property
    def plain_text(self) -> str | None:
        """The text of a text leaf as a person reads it: HTML as text, lines of `format=flowed` joined; None for other types."""
    @property
    def message(self) -> Message | None:
        """The message in a message/rfc822, as a message of its own."""
    @property
    def calendar_method(self) -> str | None:
        """The method of a calendar, in upper case: "REQUEST", "REPLY", "CANCEL"..."""
    @property
    def charset_guess(self) -> Guess | None:
        """The charset in which its text is read, if that is a guess, with its alternatives."""
    def readings(self) -> list[Reading]:
        """The plausible readings of a text leaf, the most probable first, line ends as LF: for a person who finds the text
        unreadable. Of other types there are none.

        >>> mail = "Content-Type: text/plain; charset=utf-8\\r\\n\\r\\nschÃ¶ne GrÃ¼ÃŸe\\r\\n".encode()
        >>> best = parse(mail).parts[0].readings()[0]
        >>> best.text, best.by
        ('schöne Grüße\\n', 'repair')
        """
    @property
    def issues(self) -> list[Issue]:
        """The issues of this part's content and header, with spans in the message."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Attachment:
    """A file of a message: a part, one that was uuencoded or in yEnc in the text, or one in a `winmail.dat`.

    >>> [file] = parse(b"Content-Type: application/pdf; name=../a.pdf\\r\\n\\r\\n%PDF-1.4\\r\\n").attachments
    >>> file.name, file.safe_name, file.media_type, file.size
    ('../a.pdf', 'a.pdf', 'application/pdf', 10)
    """
    @property
    def name(self) -> str | None:
        """The name as the message gives it. Never use it as a path."""
    @property
    def safe_name(self) -> str:
        """A name that is safe to store it under; no other attachment of the message has it."""
    @property
    def media_type(self) -> str:
        """The media type as labelled, in lower case."""
    @property
    def type_by_name(self) -> str | None:
        """The media type that the extension of its name stands for."""
    @property
    def type_by_octets(self) -> str | None:
        """The media type that its octets begin like; None if they are of no known kind."""
    @property
    def size(self) -> int:
        """The number of its octets, which are decoded to be counted."""
    @property
    def content_id(self) -> str | None:
        """The id by which `cid:` in HTML names it, without its angle brackets."""
    @property
    def is_inline(self) -> bool:
        """Whether it is shown in the message, as a picture between texts."""
    @property
    def origin(self) -> Literal["part", "text", "tnef"]:
        """How it was put into the message: "part", "text" (uuencoded or in yEnc), "tnef"."""
    @property
    def part(self) -> Part:
        """The part that it is, or in which it is."""
    @property
    def octets(self) -> bytes:
        """Its octets, any encoding removed; an attached message is all of it."""

@final
class Group:
    """A group of an address field.

    >>> [group] = parse(b"To: Team: Ada <ada@example.org>, bob@example.org;\\r\\n\\r\\n").addresses("to")
    >>> group.name, [member.address for member in group.members]
    ('Team', ['ada@example.org', 'bob@example.org'])
    """
    def __new__(cls, name: str, members: list[Mailbox]) -> Group: ...
    def __getnewargs__(self) -> tuple[str, list[Mailbox]]: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def members(self) -> list[Mailbox]:
        """The mailboxes in order."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hop:
    """One station on the way of a message: what a Received field says.

    >>> received = b"from a.example by b.example with ESMTPS; Thu, 19 Nov 2026 10:00:00 +0100"
    >>> [hop] = parse(b"Received: " + received + b"\\r\\n\\r\\n").hops
    >>> hop.sender, hop.by, hop.protocol, hop.date.isoformat()
    ('a.example', 'b.example', 'ESMTPS', '2026-11-19T10:00:00+01:00')
    """
    def __new__(
        cls,
        sender: str | None,
        sender_info: str | None,
        by: str | None,
        via: str | None,
        protocol: str | None,
        id: str | None,
        recipient: str | None,
        date: datetime | None,
        delay: int | None,
    ) -> Hop: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        str | None,
        str | None,
        str | None,
        str | None,
        str | None,
        str | None,
        str | None,
        datetime | None,
        int | None,
    ]: ...
    @property
    def sender(self) -> str | None:
        """How the sender called itself."""
    @property
    def sender_info(self) -> str | None:
        """The sender as the server saw it, as comments."""
    @property
    def by(self) -> str | None:
        """The server that wrote the field."""
    @property
    def via(self) -> str | None:
        """The network, if that is said: "TCP"."""
    @property
    def protocol(self) -> str | None:
        """The protocol: "ESMTPS", "LMTP"..."""
    @property
    def id(self) -> str | None:
        """The number that the server gave the message."""
    @property
    def recipient(self) -> str | None:
        """For whom it was."""
    @property
    def date(self) -> datetime | None:
        """When the server received it."""
    @property
    def delay(self) -> int | None:
        """The seconds since the hop before."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class AuthenticationResults:
    """The results of a server's checks of where a message comes from (RFC 8601): one field.

    >>> field = b"Authentication-Results: mx.example; dkim=pass header.d=example.org\\r\\n\\r\\n"
    >>> [found] = parse(field).authentication_results
    >>> found.server, [(one.method, one.result, one.properties) for one in found.results]
    ('mx.example', [('dkim', 'pass', {'header.d': 'example.org'})])
    """
    def __new__(cls, server: str, results: list[AuthenticationResult]) -> AuthenticationResults: ...
    def __getnewargs__(self) -> tuple[str, list[AuthenticationResult]]: ...
    @property
    def server(self) -> str:
        """The server that says so. Believe only your own."""
    @property
    def results(self) -> list[AuthenticationResult]:
        """The result of each method; nothing for "none"."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class AuthenticationResult:
    """The result of one method of authentication.

    >>> AuthenticationResult("spf", "fail", "not permitted", {"smtp.mailfrom": "a@example.com"}).properties
    {'smtp.mailfrom': 'a@example.com'}
    """
    def __new__(cls, method: str, result: str, comment: str, properties: dict[str, str]) -> AuthenticationResult: ...
    def __getnewargs__(self) -> tuple[str, str, str, dict[str, str]]: ...
    @property
    def method(self) -> str:
        """The method: "dkim", "spf", "dmarc"..."""
    @property
    def result(self) -> str:
        """The result: "pass", "fail", "none"..."""
    @property
    def comment(self) -> str:
        """The comments, joined by spaces."""
    @property
    def properties(self) -> dict[str, str]:
        """The properties by their names: "header.d", "smtp.mailfrom", "reason"..."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class MailingList:
    """The mailing list that a message came by.

    >>> fields = b"List-Id: Cats <cats.example.org>\\r\\nList-Unsubscribe: <https://example.org/leave>\\r\\n\\r\\n"
    >>> mailing_list = parse(fields).mailing_list
    >>> mailing_list.name, mailing_list.id, mailing_list.unsubscribe
    ('Cats', 'cats.example.org', ['https://example.org/leave'])
    """
    def __new__(
        cls,
        id: str | None,
        name: str | None,
        post: list[str],
        unsubscribe: list[str],
        one_click: str | None,
        subscribe: list[str],
        help: list[str],
        owner: list[str],
        archive: list[str],
    ) -> MailingList: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        str | None,
        str | None,
        list[str],
        list[str],
        str | None,
        list[str],
        list[str],
        list[str],
        list[str],
    ]: ...
    @property
    def id(self) -> str | None:
        """The identifier of the list."""
    @property
    def name(self) -> str | None:
        """The name of the list."""
    @property
    def post(self) -> list[str]:
        """The addresses to write to."""
    @property
    def unsubscribe(self) -> list[str]:
        """The addresses by which one leaves it."""
    @property
    def one_click(self) -> str | None:
        """The address to which `List-Unsubscribe=One-Click` is posted (RFC 8058)."""
    @property
    def subscribe(self) -> list[str]:
        """The addresses by which one joins it."""
    @property
    def help(self) -> list[str]:
        """The addresses of its instructions."""
    @property
    def owner(self) -> list[str]:
        """The addresses of its owner."""
    @property
    def archive(self) -> list[str]:
        """The addresses of its archive."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ReportedRecipient:
    """The fate of a message for one recipient.

    >>> recipient = ReportedRecipient("a@example.org", None, "failed", "5.1.1", None, None)
    >>> recipient.address, recipient.action, recipient.status
    ('a@example.org', 'failed', '5.1.1')
    """
    def __new__(
        cls,
        address: str,
        original_address: str | None,
        action: str,
        status: str | None,
        diagnostic: str | None,
        remote: str | None,
    ) -> ReportedRecipient: ...
    def __getnewargs__(self) -> tuple[str, str | None, str, str | None, str | None, str | None]: ...
    @property
    def address(self) -> str:
        """The address that the message was for in the end."""
    @property
    def original_address(self) -> str | None:
        """The address that the sender wrote to."""
    @property
    def action(self) -> str:
        """The action: "failed", "delayed", "delivered", "relayed", "expanded"; of a notification its disposition, of a
        complaint its kind.
        """
    @property
    def status(self) -> str | None:
        """The status (RFC 3463): "5.1.1"."""
    @property
    def diagnostic(self) -> str | None:
        """The answer of the server that was asked."""
    @property
    def remote(self) -> str | None:
        """The server that was asked."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Report:
    """The report of a message about another one.

    >>> status = b"Reporting-MTA: dns; mx.example\\r\\n\\r\\nFinal-Recipient: rfc822; a@example.org\\r\\nAction: failed\\r\\n"
    >>> kind = b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\\r\\n\\r\\n"
    >>> report = parse(kind + b"--b\\r\\nContent-Type: message/delivery-status\\r\\n\\r\\n" + status + b"--b--\\r\\n").report
    >>> report.kind, report.reporter, report.recipients[0].action
    ('delivery', 'mx.example', 'failed')
    """
    def __new__(
        cls,
        kind: Literal["delivery", "disposition", "feedback"],
        original_id: str | None,
        reporter: str | None,
        recipients: list[ReportedRecipient],
        envelope_id: str | None,
        arrival: datetime | None,
        disposition: str | None,
        is_automatic: bool | None,
        errors: list[str],
        feedback_type: str | None,
        source_ip: str | None,
        sender: str | None,
        fields: list[tuple[str, str]],
    ) -> Report: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        Literal["delivery", "disposition", "feedback"],
        str | None,
        str | None,
        list[ReportedRecipient],
        str | None,
        datetime | None,
        str | None,
        bool | None,
        list[str],
        str | None,
        str | None,
        str | None,
        list[tuple[str, str]],
    ]: ...
    @property
    def kind(self) -> Literal["delivery", "disposition", "feedback"]:
        """"delivery", "disposition" or "feedback"."""
    @property
    def original_id(self) -> str | None:
        """The id of the message that it is about."""
    @property
    def reporter(self) -> str | None:
        """The server or program that reports."""
    @property
    def recipients(self) -> list[ReportedRecipient]:
        """Of a delivery report: what became of the message for each recipient; of a notification: who got it, and what was done;
        of a complaint: the recipients of the envelope.
        """
    @property
    def envelope_id(self) -> str | None:
        """Of a delivery report: the number that the sender gave the delivery."""
    @property
    def arrival(self) -> datetime | None:
        """Of a delivery report: when the message came to the server that reports."""
    @property
    def disposition(self) -> str | None:
        """Of a notification: "displayed", "deleted"..."""
    @property
    def is_automatic(self) -> bool | None:
        """Of a notification: whether a program did that, not a person."""
    @property
    def errors(self) -> list[str]:
        """Of a notification: errors, failures and warnings."""
    @property
    def feedback_type(self) -> str | None:
        """Of a complaint: "abuse", "fraud"..."""
    @property
    def source_ip(self) -> str | None:
        """Of a complaint: the address that the message came from."""
    @property
    def sender(self) -> str | None:
        """Of a complaint: the sender of the envelope."""
    @property
    def fields(self) -> list[tuple[str, str]]:
        """Of a complaint: all its fields, each with its name and its value."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Passage:
    """Lines of a text that belong together: the sender's own, quoted equally deep, or the signature.

    >>> [(passage.text, passage.quote_depth) for passage in passages("> Tea?\\nYes.\\n")]
    [('> Tea?\\n', 1), ('Yes.\\n', 0)]
    """
    def __new__(cls, text: str, quote_depth: int, is_signature: bool) -> Passage: ...
    def __getnewargs__(self) -> tuple[str, int, bool]: ...
    @property
    def text(self) -> str:
        """The lines with their line ends."""
    @property
    def quote_depth(self) -> int:
        """How many quote marks each line begins with."""
    @property
    def is_signature(self) -> bool:
        """Whether it is the signature."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def passages(text: str) -> list[Passage]:
    """Cuts a text into passages; joined, their texts are the whole text.

    >>> [(passage.quote_depth, passage.is_signature) for passage in passages("> Tea?\\nYes.\\n-- \\nAda\\n")]
    [(1, False), (0, False), (0, True)]
    """
def safe_file_name(name: str) -> str:
    """A name that is safe to store a file under, on any usual system.

    >>> safe_file_name("../../etc/passwd")
    'passwd'
    """
def unpack_tnef(message: _Mail) -> bytes | None:
    """A message whose parts in TNEF (`winmail.dat`) were replaced by the parts that are in them, to be normalised; None if there is
    none. Signed and encrypted content stays as it is.

    >>> unpack_tnef(b"Subject: x\\r\\n\\r\\nno winmail.dat\\r\\n") is None
    True
    """
@final
class OutlookMessages:
    """The messages of a file of Outlook, from `read_outlook`: an iterator of `(folder, octets)`.

    >>> for folder, octets in read_outlook("mail.pst"):  # doctest: +SKIP
    ...     print(folder, parse(octets).subject)
    >>> [(_, octets)] = read_outlook("message.msg")  # doctest: +SKIP
    """
    def __iter__(self) -> OutlookMessages: ...
    def __next__(self) -> tuple[str, bytes]: ...
    @property
    def errors(self) -> list[tuple[str, str]]:
        """What could not be read so far: the folder, and why."""

def read_outlook(file: str | PathLike[str] | Buffer | _File) -> OutlookMessages:
    """Opens a file of Outlook: a path, a binary file, or its octets. Returns an iterator of the folder and the octets of each message:
    those of a `.pst` or `.ost`, or the one of a `.msg` or `.oft`, whose folder is empty. Each is mail (RFC 5322) with a header in UTF-8:
    `normalize` makes it 7-bit safe. What could not be read is in `errors` of the iterator.

    A ValueError says what the file is if it is none of Outlook, or why it cannot be read.

    >>> read_outlook(b"%PDF-1.7")
    Traceback (most recent call last):
        ...
    ValueError: argument 'file': is no file of Outlook, but a PDF document
    """
def base_subject(subject: str) -> str:
    """The subject without `Re:`, `Fwd:`, `Aw:` and their like.

    >>> base_subject("Re: AW: Cats (fwd)")
    'Cats'
    """
def parse(
    message: _Mail, *, limits: Limits | None = None, nul: Literal["keep", "replace"] = "keep"
) -> Message:
    """Parses a message: a buffer, a path, or a file that is open for reading octets. Any octets are one, an mbox of several messages
    too, with a `MailboxWarning`. With `nul="replace"` no text of it contains U+0000, which databases refuse: U+FFFD takes its place,
    and is reported.

    >>> message = parse("From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\\r\\nSubject: hi\\r\\n\\r\\nhello\\r\\n".encode())
    >>> message.subject, message.mailboxes("from"), message.leaves[0].text
    ('hi', [Mailbox(name='Zoë', address='zoe@example.org')], 'hello\\n')
    """
def decode_header(value: str | Buffer) -> str:
    """The text of an unstructured header field: encoded-words decoded, folds undone, raw 8-bit octets guessed.

    >>> decode_header(b"=?iso-8859-1?Q?caf=E9?= au\\r\\n lait")
    'café au lait'
    """
def encode_header(text: str) -> str:
    """Text as the value of an unstructured header field: plain if possible, else in encoded-words, folded with
    CRLF. It never begins with a fold, so that `decode_header` reads the text again; the field's first line may be longer
    than 78 octets for that. Controls cannot be carried: NUL is dropped, others become a space, also a tab. More than eight
    spaces in a row become one, and so do two before an encoded-word that fills its line.

    >>> encode_header("un café noir")
    'un =?utf-8?B?Y2Fmw6k=?= noir'
    """
def decode_mailbox_name(name: str | Buffer, errors: Literal["replace", "strict"] = "replace") -> str:
    """Reads a mailbox name as IMAP4rev1 writes it (RFC 3501, 5.1.3). Ill-formed octets become U+FFFD, or with
    errors="strict" a ValueError.

    >>> decode_mailbox_name(b"Entw&APw-rfe")
    'Entwürfe'
    """
def encode_mailbox_name(name: str) -> bytes:
    """Writes a mailbox name as IMAP4rev1 wants it.

    >>> encode_mailbox_name("Entwürfe")
    b'Entw&APw-rfe'
    """
@final
class Reading:
    """A text that octets may be taken for, how sure that is, and how it comes about.

    >>> best = readings("schÃ¶ne GrÃ¼ÃŸe".encode(), "utf-8")[0]
    >>> best.text, best.by, best.undone
    ('schöne Grüße', 'repair', ('UTF-8 that was read as windows-1252',))
    """
    def __new__(
        cls, text: str, charset: Charset, by: Literal["label", "guess", "repair"], sureness: float, undone: Sequence[str] = ...
    ) -> Reading: ...
    @property
    def text(self) -> str:
        """The text."""
    @property
    def charset(self) -> Charset:
        """The charset that the octets are read in."""
    @property
    def by(self) -> Literal["label", "guess", "repair"]:
        """What the reading rests on: the "label", a "guess" from the octets, or a "repair" of text that was misread before it was
        written. `normalize` writes it with `doubtful="keep"`, with its charset as `read_as`, or with `doubtful="repair"`.
        """
    @property
    def sureness(self) -> float:
        """How probable it is that the text reads as it was meant, from 0 to 1."""
    @property
    def undone(self) -> tuple[str, ...]:
        """What a repair undoes, in words: "UTF-8 that was read as windows-1252"."""
    def __getnewargs__(self) -> tuple[str, Charset, str, float, tuple[str, ...]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def readings(octets: Buffer, label: Charset | str | None = None) -> list[Reading]:
    """The plausible readings of octets, the most probable first: as labelled, as they seem to be, and with what mangled them
    undone. The others are for a person who finds the first one unreadable. `label` is a charset or its label; one that is not
    known says nothing. `Part.readings` has those of a text in a message.

    >>> found = readings("Привет, как дела?".encode(), "koi8-r")
    >>> [(reading.text, reading.by) for reading in found][:2]
    [('Привет, как дела?', 'repair'), ('п÷я─п╦п╡п╣я┌, п╨п╟п╨ п╢п╣п╩п╟?', 'label')]
    """
def repair_text(text: str) -> str:
    """Mends text that was read in a wrong charset, once or several times over, and that still holds an encoding. Lines are judged by
    themselves; one that could have been meant as it stands stays.

    >>> repair_text("schÃ¶ne GrÃ¼ÃŸe")
    'schöne Grüße'
    """
def decode_utf7(octets: Buffer, errors: Literal["replace", "strict"] = "replace") -> str:
    """Reads UTF-7. Ill-formed octets become U+FFFD, or with errors="strict" a UnicodeDecodeError.

    >>> decode_utf7(b"Hi Mom -+Jjo--!")
    'Hi Mom -☺-!'
    """
def encode_utf7(text: str, *, direct: Literal["mail-safe", "optional-direct"] = "mail-safe") -> bytes:
    """Writes UTF-7. `direct`: with "mail-safe" only characters that every gateway and header field preserves are direct,
    with "optional-direct" the optional direct characters of RFC 2152 as well.

    >>> encode_utf7("1 + 1 = 2")
    b'1 +- 1 +AD0 2'
    >>> encode_utf7("1 + 1 = 2", direct="optional-direct")
    b'1 +- 1 = 2'
    """

@final
class Charset:
    """A character set that mail may be labelled with.

    >>> Charset("cp866").name, Charset("cp866").decode(b"\\x8f\\xe0\\xa8\\xa2\\xa5\\xe2")
    ('IBM866', 'Привет')
    """
    def __new__(cls, label: str, *, lenient: bool = False) -> Charset: ...
    @staticmethod
    def all() -> list[Charset]:
        """Every charset that is known, decodable or not."""
    @property
    def name(self) -> str:
        """The preferred MIME name."""
    @property
    def aliases(self) -> list[str]:
        """Its other labels."""
    @property
    def is_registered(self) -> bool:
        """Whether IANA has registered it."""
    @property
    def is_decodable(self) -> bool:
        """Whether text in it can be read and written."""
    @property
    def is_stateful(self) -> bool:
        """Whether escapes or signatures carry state."""
    def decode(self, octets: Buffer, errors: Literal["replace", "strict"] = "replace") -> str:
        """Reads text. Ill-formed octets become U+FFFD, or with errors="strict" a UnicodeDecodeError."""
    def encode(self, text: str, errors: Literal["strict", "replace"] = "strict") -> bytes:
        """Writes text. A character that the charset lacks is a UnicodeEncodeError, or with errors="replace" a question mark if
        the charset has one.
        """
    def __getnewargs__(self) -> tuple[str]: ...
    def _decode_until_fault(self, octets: Buffer, start: int) -> tuple[str, tuple[int, int, str] | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Guess:
    """A charset that unlabelled text may be in, how probable that is, and what else it may be in.

    >>> guess = detect("Привет, как дела?".encode("koi8-r"))
    >>> guess.name, guess.sureness > 0.5
    ('KOI8-R', True)
    """
    def __new__(cls, charset: Charset, sureness: float, alternatives: Sequence[Guess] = ...) -> Guess: ...
    @property
    def charset(self) -> Charset:
        """The charset."""
    @property
    def name(self) -> str:
        """The preferred MIME name of the charset."""
    @property
    def sureness(self) -> float:
        """How probable it is that the text reads as it was meant: from 0, nothing is known, to 1."""
    @property
    def alternatives(self) -> tuple[Guess, ...]:
        """The other charsets that it may be in, the most probable first."""
    def __getnewargs__(self) -> tuple[Charset, float, tuple[Guess, ...]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def detect(octets: Buffer) -> Guess:
    """The charset that unlabelled text seems to be in, with how sure that is and its alternatives: a guess, and never UTF-7.
    Octets below 80 without escapes are US-ASCII, surely.

    >>> detect(b"plain text")
    <sevenbit.Guess US-ASCII (1.00)>
    >>> guess = detect("Это русский текст.".encode("cp866"))
    >>> guess.name, guess.sureness > 0.9
    ('IBM866', True)
    """
def detect_all(octets: Buffer) -> list[Guess]:
    """Every charset that unlabelled text may be in, the most probable first; those below a hundredth are left out.

    >>> [guess.name for guess in detect_all("Grüße".encode("latin-1"))][0]
    'windows-1252'
    """

@final
class Decoder:
    """Reads a text that arrives in pieces of any size: the result is the same as in one piece.

    >>> decoder = Decoder(Charset("utf-7"))
    >>> decoder.decode(b"+Jj") + decoder.decode(b"o-", final=True)
    '☺'
    """
    def __new__(cls, charset: Charset, errors: Literal["strict", "replace"] = "strict") -> Decoder: ...
    def decode(self, octets: Buffer, final: bool = False) -> str:
        """The text of the next octets; `final` says that no more come."""
    def reset(self) -> None:
        """Begins again."""

@final
class Encoder:
    """Writes a text that arrives in pieces of any size: the result is the same as in one piece.

    >>> encoder = Encoder(Charset("utf-7"))
    >>> encoder.encode("☺") + encoder.encode("", final=True)
    b'+Jjo-'
    """
    def __new__(cls, charset: Charset, errors: Literal["strict", "replace"] = "strict") -> Encoder: ...
    def encode(self, text: str, final: bool = False) -> bytes:
        """The octets of the next piece of text; `final` says that no more comes."""
    def _push(self, text: str) -> tuple[bytes, int | None]: ...
    def _complete(self) -> bytes: ...
    def reset(self) -> None:
        """Begins again."""

@final
class _Rows:
    def __new__(
        cls,
        items: Iterable[tuple[str, str, object, int, int, int | None, tuple[tuple[int, int], tuple[int, int] | None] | None]],
        columns: Sequence[str],
        normalizer: Normalizer,
        *,
        dialect: str,
        most_octets: int,
        dates: tuple[int, int] | None,
        mode: str,
        ignore_errors: bool,
    ) -> _Rows: ...
    def __iter__(self) -> Iterator[tuple[int, list[_Column]]]: ...
    def __next__(self) -> tuple[int, list[_Column]]: ...

def _columns_of(octets: Buffer, ends: Buffer, columns: Sequence[str], normalizer: Normalizer) -> list[_Column]: ...
def _cuts_in(pieces: Sequence[tuple[int, int]], length: int, step: int) -> list[tuple[int, int, int]]: ...
def _cuts_of(path: str | PathLike[str], step: int) -> list[tuple[int, int, int]]: ...
def _index_of(source: object, path: str | PathLike[str], grain: int) -> tuple[list[tuple[int, int]], list[int], int]: ...
def _messages_in(path: str | PathLike[str]) -> int: ...
def _quote_mbox(message: Buffer) -> bytes: ...

"""Every charset of sevenbit as a Python codec.

>>> import sevenbit.codecs
>>> sevenbit.codecs.register()
>>> b"\\x1b$)A\\x0e=;;;\\x0f".decode("iso-2022-cn")
'交换'
>>> "Entwürfe".encode("imap-utf-7")
b'Entw&APw-rfe'
>>> b"+2AA-".decode("utf-7"), b"+2AA-".decode("sevenbit-utf-7", "replace")
('\\ud800', '�')

1. A charset that Python lacks is known by all its labels. Those that Python has stay Python's: it asks its own codecs first.
2. Every charset is also known as `sevenbit-LABEL`, strict where Python's own is lax.
3. `imap-utf-7` (also `utf-7-imap`) is that of the names of IMAP mailboxes.
4. `errors=` is `strict`, `replace`, or any handler that Python knows. In charsets with shift states, where no one can
   read on from the middle, and in pieces, decoding knows only `strict` and `replace`: anything else is a LookupError.
5. Each piece that an incremental encoder or a text file writes is whole, so that nothing is missing if it is the last. So a
   piece must not begin with a character that the charset has only as one with the letter before it (か゚ of JIS X 0213, vowel signs
   of TSCII): that is a UnicodeEncodeError.
6. The state between two pieces of an incremental decoder is kept inside it: `tell()` does not work on text files that
   were opened with one of these codecs; reading, and `seek(0)`, do.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from sevenbit import mailbox_name
from sevenbit._sevenbit import Charset, Decoder, Encoder

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["register"]

_PREFIX = "sevenbit_"
# How much is tried after a character that cannot be written, then twice as much each time: no attempt goes far in vain.
_STEP = 64
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = re.compile("[a-z0-9.]+")
_LABELS: dict[str, str] = {}
_IMAP = ("imap_utf_7", "utf_7_imap")


def register() -> None:
    """Makes the codecs known to this interpreter. Calling it again changes nothing.

    >>> register()
    >>> b"+AOk-t+AOk-".decode("sevenbit-utf-7")
    'été'
    """
    codecs.unregister(_search)
    codecs.register(_search)


def _plain(label: str) -> str:
    """A label as Python passes it to a search function."""
    return "_".join(_WORDS.findall(label.lower()))


def _labels() -> dict[str, str]:
    """Every label as Python spells it, and as it is registered. The names come first: they may not be taken over."""
    if not _LABELS:
        charsets = [charset for charset in Charset.all() if charset.is_decodable]
        aliases = [alias for charset in charsets for alias in charset.aliases]
        for label in [charset.name for charset in charsets] + aliases:
            _LABELS.setdefault(_plain(label), label)
    return _LABELS


def _search(name: str) -> codecs.CodecInfo | None:
    """The codec of that name, if it is one of ours."""
    name = _plain(name)
    if name.removeprefix(_PREFIX) in _IMAP:
        return _IMAP_INFO
    label = _labels().get(name.removeprefix(_PREFIX))
    if label is None:
        return None
    return _info(label.lower() if not name.startswith(_PREFIX) else f"sevenbit-{label.lower()}", Charset(label))


def _info(name: str, charset: Charset) -> codecs.CodecInfo:
    def decode(input: Buffer, errors: str = "strict") -> tuple[str, int]:
        octets = bytes(input)
        return _decode(charset, octets, errors), len(octets)

    def encode(input: str, errors: str = "strict") -> tuple[bytes, int]:
        return _encode(charset, input, errors), len(input)

    return codecs.CodecInfo(
        name=name,
        encode=cast(Any, encode),
        decode=cast(Any, decode),
        incrementalencoder=cast(Any, _of(charset, _IncrementalEncoder)),
        incrementaldecoder=cast(Any, _of(charset, _IncrementalDecoder)),
        streamreader=cast(Any, _of(charset, _StreamReader)),
        streamwriter=cast(Any, _of(charset, _StreamWriter)),
    )


def _of(charset: Charset, kind: type) -> type:
    """The class of one charset: Python creates codecs without naming the charset."""
    return type(kind.__name__, (kind,), {"of": charset, "__module__": __name__})


def _decode(charset: Charset, octets: bytes, errors: str) -> str:
    if errors == "strict" or errors == "replace":
        return charset.decode(octets, cast(Any, errors))
    if charset.name == "UTF-8":
        # Python's handlers are made for it: surrogateescape is UTF-8B.
        return octets.decode("utf-8", errors)
    if charset.is_stateful:
        raise LookupError(f"{charset} has shift states: errors is 'strict' or 'replace', not {errors!r}")
    return _decode_handling(charset, octets, codecs.lookup_error(errors))


def _decode_handling(charset: Charset, octets: bytes, handler: Callable[[UnicodeError], tuple[str | bytes, int]]) -> str:
    """Decodes piece after piece, each up to a fault, for which the handler is called."""
    pieces, at = [], 0
    while at < len(octets):
        text, fault = charset._decode_until_fault(octets, at)
        pieces.append(text)
        if fault is None:
            break
        instead, at = _handled(handler(UnicodeDecodeError(charset.name, octets, *fault)), len(octets))
        pieces.append(cast(str, instead))
    return "".join(pieces)


def _encode(charset: Charset, text: str, errors: str) -> bytes:
    if errors == "strict":
        return charset.encode(text)
    return _Handling(charset, errors).encode(text, True)


class _Handling:
    """An encoder that calls a handler for characters that the charset lacks. What it returns is whole each time: shifts have
    ended, and nothing is held back, because text files never say which piece is their last."""

    def __init__(self, charset: Charset, errors: str) -> None:
        self.charset = charset
        self.handler = codecs.lookup_error(errors)
        self.encoder = Encoder(charset)

    def encode(self, text: str, final: bool) -> bytes:
        pieces, at, step = [], 0, _STEP
        while at < len(text):
            piece = text[at : at + step]
            octets, missing = self._push(piece)
            pieces.append(octets)
            if missing is None:
                at, step = at + len(piece), step * 2
                continue
            at, step = at + missing, _STEP
            error = UnicodeEncodeError(self.charset.name, text, at, at + 1, "not in the charset")
            instead, at = _handled(self.handler(error), len(text))
            # Text has to be encoded, even a question mark; octets are written as they are, after all that precedes them.
            pieces.append(self.encoder.encode(instead) if isinstance(instead, str) else self.encoder._complete() + instead)
        pieces.append(self.encoder.encode("", True) if final else self.encoder._complete())
        return b"".join(pieces)

    def _push(self, piece: str) -> tuple[bytes, int | None]:
        """The octets of the text up to a character that cannot be written, and its place."""
        lone = _SURROGATE.search(piece)
        octets, missing = self.encoder._push(piece[: lone.start()] if lone else piece)
        return octets, lone.start() if missing is None and lone else missing


def _handled(answer: tuple[str | bytes, int], length: int) -> tuple[str | bytes, int]:
    """The result of a handler, and where to continue: a negative place is counted from the end."""
    instead, at = answer
    at = at + length if at < 0 else at
    if not 0 <= at <= length:
        raise IndexError(f"position {at} from error handler out of bounds")
    return instead, at


class _IncrementalDecoder(codecs.IncrementalDecoder):
    of: Charset

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        if errors not in ("strict", "replace"):
            raise LookupError(f"in pieces {self.of} is decoded with 'strict' or 'replace', not {errors!r}")
        self._decoder = Decoder(self.of, cast(Any, errors))

    def decode(self, input: Buffer, final: bool = False) -> str:
        return self._decoder.decode(input, final)

    def reset(self) -> None:
        self._decoder.reset()


class _IncrementalEncoder(codecs.IncrementalEncoder):
    of: Charset

    def __init__(self, errors: str = "strict") -> None:
        super().__init__(errors)
        self._encoder = _Handling(self.of, errors)

    def encode(self, input: str, final: bool = False) -> bytes:
        # Python lets `errors` be changed between two pieces.
        self._encoder.handler = codecs.lookup_error(self.errors)
        return self._encoder.encode(input, final)

    def reset(self) -> None:
        self._encoder.encoder.reset()


class _StreamReader(codecs.StreamReader):
    of: Charset

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._decoder = Decoder(self.of, cast(Any, errors))

    # None is everything, as for Python's own readers of these charsets.
    def read(self, size: int | None = -1, chars: int = -1, firstline: bool = False) -> str:
        return super().read(-1 if size is None else size, chars, firstline)

    def readline(self, size: int | None = None, keepends: bool = True) -> str:
        return super().readline(None if size is not None and size < 0 else size, keepends)

    def decode(self, input: Buffer, errors: str = "strict") -> tuple[str, int]:
        return self._decoder.decode(input), len(memoryview(input))

    def reset(self) -> None:
        super().reset()
        self._decoder.reset()


class _StreamWriter(codecs.StreamWriter):
    of: Charset

    def __init__(self, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = _Handling(self.of, errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        return self._encoder.encode(input, False), len(input)

    def reset(self) -> None:
        """Begins a new text; the one before has ended."""
        self.stream.write(self._encoder.encode("", True))


def _decode_imap(input: Buffer, errors: str = "strict") -> tuple[str, int]:
    octets = bytes(input)
    if errors == "replace":
        return mailbox_name.decode(octets), len(octets)
    try:
        return mailbox_name.decode(octets, "strict"), len(octets)
    except ValueError as error:
        raise UnicodeDecodeError("imap-utf-7", octets, 0, len(octets), str(error)) from None


def _encode_imap(input: str, errors: str = "strict") -> tuple[bytes, int]:
    return mailbox_name.encode(input), len(input)


class _ImapDecoder(codecs.BufferedIncrementalDecoder):
    """A name is short: it is decoded when it has ended."""

    def _buffer_decode(self, input: Buffer, errors: str, final: bool) -> tuple[str, int]:
        return _decode_imap(input, errors) if final else ("", 0)


class _ImapEncoder(codecs.BufferedIncrementalEncoder):
    """A name is short: it is encoded when it has ended."""

    def _buffer_encode(self, input: str, errors: str, final: bool) -> tuple[bytes, int]:
        return _encode_imap(input, errors) if final else (b"", 0)


_IMAP_INFO = codecs.CodecInfo(
    name="imap-utf-7",
    encode=cast(Any, _encode_imap),
    decode=cast(Any, _decode_imap),
    incrementalencoder=_ImapEncoder,
    incrementaldecoder=_ImapDecoder,
)

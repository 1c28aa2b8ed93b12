"""Mail in any charset in, normalised 7-bit-safe mail out, its meaning kept.

>>> import sevenbit
>>> mail = b"Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=\\r\\n\\r\\nd\\xe9j\\xe0 vu\\r\\n"
>>> sevenbit.parse(mail).subject
'Привет'
>>> safe = sevenbit.normalize(mail, profile="transport")
>>> safe.octets.isascii(), safe.changed
(True, True)

| to | use |
|---|---|
| rewrite messages in their normal form | `normalize`, `normalize_many`, `Normalizer` |
| read them | `parse`, which returns a `Message`: its `text`, `html` and `attachments`, its `Part`s and `Mailbox`es |
| tell quotations from what the sender wrote; name files safely | `passages`; `safe_file_name` |
| open `.msg` and `.pst` files of Outlook | `read_outlook` |
| write a `winmail.dat` as the parts in it | `unpack_tnef`, then `normalize` |
| know what was odd, and what was done about it | the `Issue`s of either |
| read and write the text of a header field | `decode_header`, `encode_header` |
| read and write text in a charset by its label | `Charset`, `Decoder`, `Encoder`; `sevenbit.codecs` for Python's own `open` and `decode` |
| find out which charset text may be in | `detect`, `detect_all`: a `Guess` |
| find out what mangled text was, and show a person what else it may be | `repair_text`; `readings`, `Part.readings`: each a `Reading` |
| read and write UTF-7 and the names of IMAP mailboxes | `utf7`, `mailbox_name` |
| work with the classes of `email` and `mailbox` | `sevenbit.email` |
| work on archives, as tables of Arrow or in Spark | `sevenbit.lake`, `sevenbit.spark` |

Values (`Guess`, `Reading`, `Issue`, `Limits`, `Mailbox`, `Normalized`, `Normalizer`, `Charset`) can be pickled and copied, so that they
pass between processes. Octets are `bytes`, `bytearray`, `memoryview` or any other buffer. Any octets give a result: exceptions are for
arguments that are not octets, or unknown options.
"""

import importlib
import sys
from typing import TYPE_CHECKING

from sevenbit import mailbox_name, utf7
from sevenbit._sevenbit import (
    Attachment,
    AuthenticationResult,
    AuthenticationResults,
    Charset,
    Decoder,
    Encoder,
    Group,
    Guess,
    Hop,
    Issue,
    Limits,
    Mailbox,
    MailboxWarning,
    MailingList,
    Message,
    Normalized,
    Normalizer,
    OutlookMessages,
    Part,
    Passage,
    Reading,
    Report,
    ReportedRecipient,
    __version__,
    base_subject,
    decode_header,
    detect,
    detect_all,
    encode_header,
    normalize,
    normalize_many,
    parse,
    passages,
    read_outlook,
    readings,
    repair_text,
    safe_file_name,
    unpack_tnef,
)

__all__ = [
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
    "detect",
    "detect_all",
    "encode_header",
    "mailbox_name",
    "normalize",
    "normalize_many",
    "parse",
    "passages",
    "read_outlook",
    "readings",
    "repair_text",
    "safe_file_name",
    "unpack_tnef",
    "utf7",
]

if TYPE_CHECKING:
    from sevenbit import codecs as codecs
    from sevenbit import email as email
    from sevenbit import lake as lake  # `spark` has classes of PySpark, which is not everywhere where types are checked
else:

    def __getattr__(name):
        """A module that is imported when it is first asked for: it takes time, or a package that not everyone has."""
        if name in ("codecs", "email", "lake", "spark"):
            return importlib.import_module(f"sevenbit.{name}")
        raise AttributeError(f"module 'sevenbit' has no attribute {name!r}", name=name, obj=sys.modules[__name__])

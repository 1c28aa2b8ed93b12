"""The names of IMAP mailboxes (RFC 3501, 5.1.3: a modified UTF-7).

>>> from sevenbit import mailbox_name
>>> mailbox_name.decode(b"Entw&APw-rfe"), mailbox_name.encode("Entwürfe")
('Entwürfe', b'Entw&APw-rfe')
"""

from sevenbit._sevenbit import decode_mailbox_name as decode
from sevenbit._sevenbit import encode_mailbox_name as encode

__all__ = ["decode", "encode"]

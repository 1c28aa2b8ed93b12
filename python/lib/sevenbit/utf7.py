"""UTF-7 (RFC 2152).

>>> from sevenbit import utf7
>>> utf7.decode(b"Hi Mom -+Jjo--!"), utf7.encode("1 + 1 = 2")
('Hi Mom -☺-!', b'1 +- 1 +AD0 2')
"""

from sevenbit._sevenbit import decode_utf7 as decode
from sevenbit._sevenbit import encode_utf7 as encode

__all__ = ["decode", "encode"]

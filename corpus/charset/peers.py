#!/usr/bin/env python3
"""What glibc's iconv and Python make of octet sequences: for tests/charset/peers.rs.

Reads jobs, one JSON object a line: {"name": ..., "labels": [...], "specs": [[prefix, [[first, last], ...], suffix], ...]};
a spec stands for every sequence of the prefix, one octet out of each range, and the suffix (hexadecimal).
Writes for each job and each peer that knows one of the labels: {"name", "peer", "label", "texts": [text or null, ...]}.
"""
import codecs, ctypes, itertools, json, sys


class Iconv:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
    libc.iconv.restype = ctypes.c_size_t
    FAILED = ctypes.c_size_t(-1).value

    def __init__(self, label):
        self.cd = self.libc.iconv_open(b"UTF-32LE", label.encode("ascii", "replace"))
        if self.cd in (None, ctypes.c_void_p(-1).value):
            raise LookupError(label)
        self.source, self.target = ctypes.create_string_buffer(64), ctypes.create_string_buffer(256)

    def __call__(self, octets):
        self.source.raw = octets
        inp, out = ctypes.c_void_p(ctypes.addressof(self.source)), ctypes.c_void_p(ctypes.addressof(self.target))
        left, room = ctypes.c_size_t(len(octets)), ctypes.c_size_t(256)
        call = lambda i: self.libc.iconv(self.cd, i, ctypes.byref(left), ctypes.byref(out), ctypes.byref(room))
        self.libc.iconv(self.cd, None, None, None, None)
        if call(ctypes.byref(inp)) == self.FAILED or left.value or call(None) == self.FAILED:
            return None
        try:
            return self.target.raw[:256 - room.value].decode("utf-32le")
        except UnicodeError:
            return None


class Python:
    def __init__(self, label):
        self.codec = codecs.lookup(label)
        if not self.codec._is_text_encoding or label in ("mbcs", "oem"):
            raise LookupError(label)

    def __call__(self, octets):
        try:
            return self.codec.decode(octets)[0]
        except (UnicodeError, ValueError):
            return None


def sequences(specs):
    for prefix, ranges, suffix in specs:
        prefix, suffix = bytes.fromhex(prefix), bytes.fromhex(suffix)
        for middle in itertools.product(*(range(first, last + 1) for first, last in ranges)):
            yield prefix + bytes(middle) + suffix


for line in sys.stdin:
    job = json.loads(line)
    for peer in (Iconv, Python):
        for label in job["labels"]:
            try:
                decode = peer(label)
            except (LookupError, ValueError):
                continue
            texts = [decode(octets) for octets in sequences(job["specs"])]
            json.dump({"name": job["name"], "peer": peer.__name__.lower(), "label": label, "texts": texts}, sys.stdout)
            print(flush=True)
            break

#!/usr/bin/env python3
"""The 8-bit or shifted text bodies of a folder of mail with their labels, for tests/charset/detect.rs.

usage: labelled.py DIR     one line a body: label, TAB, octets in hexadecimal
Left out: labels that say nothing, and bodies that Python cannot decode under their label.
"""
import codecs, email, email.policy, os, re, sys, tarfile


def messages(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.endswith(".eml"):
                yield open(path, "rb").read()
            elif name.endswith(".mbox"):
                yield from re.split(rb"(?m)^From .*\n(?=[!-9;-~]+:)", open(path, "rb").read())
            elif name.endswith(".tar"):
                with tarfile.open(path) as tar:
                    yield from (tar.extractfile(member).read() for member in tar if member.isfile())


seen = set()
for octets in messages(sys.argv[1]):
    message = email.message_from_bytes(octets, policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_maintype() != "text" or part.is_multipart():
            continue
        try:
            label, body = part.get_content_charset(), part.get_payload(decode=True)
            label = {"gb2312": "gb18030", "gb2312_charset": "gb18030", "chinesebig5": "big5hkscs", "big5": "big5hkscs",
                     "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932"}.get(label, label)
            if not label or codecs.lookup(label).name in ("ascii", "utf-7") or body in seen:
                continue
            body.decode(label)
        except (LookupError, UnicodeError, ValueError, AttributeError):
            continue
        if re.search(rb"[\x80-\xff]|\x1b[$(]|~\{", body):
            seen.add(body)
            print(label, body.hex(), sep="\t")

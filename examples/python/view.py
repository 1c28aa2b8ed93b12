"""Shows a message as a webmail does: who, what about, the body, and the attachments.

python examples/python/view.py corpus/mail/attack-at-sign-in-a-raw-name.eml
"""

import sys
from pathlib import Path

import sevenbit


def main(path: str) -> None:
    message = sevenbit.parse(Path(path).read_bytes())
    for name in ("from", "to", "cc"):
        for mailbox in message.mailboxes(name):
            print(f"{name.capitalize()}: {mailbox.name} <{mailbox.address}>")
    print(f"Date: {message.date}\nSubject: {message.subject}\n")
    for part in message.plain_body:
        # HTML where there is nothing else: a real webmail has to make it safe.
        print(part.text if part.text is not None else f"[{part.media_type}]")
    for part in message.attachments:
        print(f"[{part.path}] {part.filename or 'without a name'}: {part.media_type}, {len(part.octets):,} octets")
    for issue in message.issues:
        print(f"odd: {issue}")


if __name__ == "__main__":
    main(*sys.argv[1:])

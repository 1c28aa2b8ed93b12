"""Shows a message as a webmail does: who, what about, the body, and the attachments.

python examples/python/view.py corpus/mail/attack-at-sign-in-a-raw-name.eml
"""

import sys
from pathlib import Path

import sevenbit


def main(path: str) -> None:
    message = sevenbit.parse(Path(path))
    for name in ("from", "to", "cc"):
        for mailbox in message.mailboxes(name):
            print(f"{name.capitalize()}: {mailbox}")
    print(f"Date: {message.date}\nSubject: {message.subject}\n")
    # HTML as text where there is nothing else. A real webmail shows `message.html`, which it has to make safe.
    print(message.text)
    for file in message.attachments:
        name = file.name or "without a name"
        print(f"[{file.part.path}] {name}: {file.media_type}, {file.size:,} octets, stored as {file.safe_name}")
    for issue in message.issues:
        print(f"odd: {issue}")


if __name__ == "__main__":
    main(*sys.argv[1:])

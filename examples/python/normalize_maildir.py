"""Writes the messages of a Maildir in their normal form to another one, with their flags.

python examples/python/normalize_maildir.py Maildir Maildir.normalized
"""

import mailbox
import sys

import sevenbit
import sevenbit.email


def main(source: str, destination: str) -> None:
    count = sevenbit.email.copy(
        mailbox.Maildir(source, create=False),
        mailbox.Maildir(destination),
        normalizer=sevenbit.Normalizer(profile="archive"),
    )
    print(f"{count} messages")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""How fast the text of messages is read, HTML included, beside Python's `email`, which does not read HTML: a ratio within one run.

    target/python/test/bin/python python/measure/text.py

Over all real messages beside the project, each once, in processor time; `email` once, since it takes minutes.
"""

import email
import email.policy
import time
from collections.abc import Callable, Iterator

from archive import PROJECT, real_mail

import sevenbit

DEV = PROJECT.parent / "shared" / "corpora" / "dev"
IS_MAIL = {".eml", ".txt", ".msg", ""}


def all_mail() -> Iterator[bytes]:
    yield from real_mail()
    yield from (path.read_bytes() for path in sorted(DEV.rglob("*")) if path.is_file() and path.suffix in IS_MAIL)


def by_email(mail: bytes) -> str | None:
    body = email.message_from_bytes(mail, policy=email.policy.default).get_body(("plain", "html"))
    return None if body is None else body.get_content()


def seconds(work: Callable[[bytes], object], mail: list[bytes]) -> tuple[float, int]:
    """How long that takes, and how often it fails."""
    failed, began = 0, time.process_time()
    for message in mail:
        try:
            work(message)
        except Exception:
            failed += 1
    return time.process_time() - began, failed


def main() -> None:
    mail = list(all_mail())
    ours = min(seconds(lambda message: sevenbit.parse(message).text, mail) for _ in range(3))
    theirs = seconds(by_email, mail)
    print(f"{len(mail)} messages, {sum(map(len, mail)) / 1e6:.0f} MB: {ours[0]:.2f} s, {ours[1]} errors")
    print(f"email: {theirs[0]:.1f} s, {theirs[1]} errors, {theirs[0] / ours[0]:.0f} times as long")


main()

"""The archive that the measurements are made with: real mail, once or many times over. Test data that lies beside the project."""

import io
import tarfile
from pathlib import Path

import sevenbit

PROJECT = Path(__file__).resolve().parents[2]
COMMAND = PROJECT / "target" / "release" / "sevenbit"
CORPUS = PROJECT.parent / "shared" / "corpora" / "bulk" / "spamassassin-corpus.tar"


def real_mail() -> list[bytes]:
    """The messages of the SpamAssassin corpus."""
    with tarfile.open(CORPUS) as members:
        files = [members.extractfile(member) for member in members if member.isfile()]
        return [file.read() for file in files if file is not None]


def write_mbox(path: Path, mail: list[bytes], megabytes: int) -> int:
    """Writes the messages as often as makes an mbox of that many megabytes; returns how often."""
    one = io.BytesIO()
    for message in mail:
        quoted = sevenbit._sevenbit._quote_mbox(message.replace(b"\r\n", b"\n"))
        one.write(b"From a@example.org Thu Nov 19 10:00:00 2026\n" + quoted + (b"\n" if quoted.endswith(b"\n") else b"\n\n"))
    copies = max(1, (megabytes << 20) // len(one.getvalue()))
    with path.open("wb") as file:
        for _ in range(copies):
            file.write(one.getvalue())
    return copies

"""Where test mail is. Real mail is beside the project, or missing: then tests use the project's own."""

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Always the same inputs, however long they take on a busy machine: a change is judged by its own effect.
settings.register_profile("project", deadline=None, derandomize=True, database=None)
settings.load_profile("project")

PROJECT = Path(__file__).resolve().parents[2]
SHARED = PROJECT.parent / "shared" / "corpora"


def own_mail() -> list[Path]:
    """The messages that were written for this project."""
    found = sorted((PROJECT / "corpus" / "mail").glob("*.eml"))
    assert len(found) > 100
    return found


def bulk() -> Iterator[bytes]:
    """The messages of the SpamAssassin corpus, if they are there."""
    packed = SHARED / "bulk" / "spamassassin-corpus.tar"
    if not packed.exists():
        pytest.skip("no real mail beside the project")
    with tarfile.open(packed) as members:
        for member in members:
            if member.isfile():
                file = members.extractfile(member)
                assert file is not None
                yield file.read()


@pytest.fixture(scope="session")
def mail() -> list[bytes]:
    return [path.read_bytes() for path in own_mail()]


@pytest.fixture(scope="session")
def real_mail() -> list[bytes]:
    return list(bulk())

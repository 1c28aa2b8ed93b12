"""How fast the module is: ratios within one run, over the SpamAssassin corpus, if it is beside the project.

    target/python/test/bin/python python/measure/speed.py

Prints the tables of README.md. Single-threaded work is counted in processor time, so that a shared machine does not
matter much; two threads have to be measured by the clock, on an otherwise idle machine.
"""

import codecs
import email
import email.policy
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import sevenbit
import sevenbit.codecs

PROJECT = Path(__file__).resolve().parents[2]
CORPUS = PROJECT.parent / "shared" / "corpora" / "bulk" / "spamassassin-corpus.tar"


def corpus() -> list[bytes]:
    """With CRLF, as on a server."""
    with tarfile.open(CORPUS) as members:
        found = [members.extractfile(member) for member in members if member.isfile()]
        return [file.read().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for file in found if file is not None]


def seconds(work: Callable[[], object], rounds: int = 3, clock: Callable[[], float] = time.process_time) -> float:
    """The quickest of several."""
    best = float("inf")
    for _ in range(rounds):
        began = clock()
        work()
        best = min(best, clock() - began)
    return best


def by_email(mail: Sequence[bytes]) -> int:
    """The same with `email`, as far as it can; returns how often it fails."""
    policy = email.policy.SMTP.clone(cte_type="7bit")
    failed = 0
    for message in mail:
        try:
            email.message_from_bytes(message, policy=policy).as_bytes(policy=policy)
        except Exception:
            failed += 1
    return failed


def many(mail: Sequence[bytes]) -> None:
    for done in sevenbit.normalize_many(mail):
        done.octets


def one_by_one(mail: Sequence[bytes]) -> None:
    for message in mail:
        sevenbit.normalize(message).octets


def in_threads(work: Callable[[Sequence[bytes]], None], mail: Sequence[bytes], count: int) -> None:
    threads = [threading.Thread(target=work, args=(mail[share::count],)) for share in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def of_library(mail: Sequence[bytes], rounds: int) -> float:
    """Messages per second of the library itself, called from Rust: the difference between some rounds and none."""
    line = ["cargo", "build", "--quiet", "--release", "--manifest-path", str(PROJECT / "python" / "Cargo.toml")]
    subprocess.run([*line, "--example", "rate"], check=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "python" / "target")) / "release" / "examples" / "rate"
    with tempfile.TemporaryDirectory() as folder:
        for number, message in enumerate(mail):
            Path(folder, f"{number:06}").write_bytes(message)

        def run(rounds: int) -> None:
            subprocess.run([built, folder, "1", str(rounds)], check=True, capture_output=True)

        return len(mail) * rounds / (seconds(lambda: run(rounds), clock=of_children) - seconds(lambda: run(0), clock=of_children))


def of_children() -> float:
    """Processor time of the programs that were run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def row(what: str, rate: str, ratio: str, wanted: str = "") -> None:
    print(f"| {what} | {rate} | {ratio} | {wanted} |", flush=True)


def messages() -> None:
    mail = corpus()
    eight = mail * 8
    tenth = mail[::10]
    print(f"\n{len(mail)} messages; `email` fails on {by_email(tenth)} of {len(tenth)}\n", flush=True)
    print("| | messages a second | ratio | goal |\n|---|---:|---|---|", flush=True)
    of_email = len(tenth) / seconds(lambda: by_email(tenth), 2)
    row("`email`: parsed, and written with `cte_type=\"7bit\"`", f"{of_email:,.0f}", "1")
    single = len(eight) / seconds(lambda: one_by_one(eight))
    row("`normalize`, one by one", f"{single:,.0f}", f"{single / of_email:.0f} x `email`", "100")
    batches = len(eight) / seconds(lambda: many(eight))
    row("`normalize_many`", f"{batches:,.0f}", f"{batches / of_email:.0f} x `email`", "100")
    library = of_library(mail, 8)
    row("the library, from Rust", f"{library:,.0f}", f"`normalize_many` is {batches / library:.2f} of it", "0.8")
    for name, work in (("normalize_many", many), ("normalize", one_by_one)):
        one = two = float("inf")
        for _ in range(6):  # in turns, so that other work affects both
            one = min(one, seconds(lambda: work(eight), 1, time.perf_counter))
            two = min(two, seconds(lambda: in_threads(work, eight, 2), 1, time.perf_counter))
        row(f"`{name}` in two threads", f"{len(eight) / two:,.0f}", f"{one / two:.2f} x one", "1.6")


TEXTS = {
    "utf-7": "Съешь же ещё этих мягких французских булок, да выпей чаю. 日本語のテキスト\r\n",
    "iso-2022-jp": "これは日本語のメールです。よろしくお願いいたします。 Thank you.\r\n",
    "hz": "这是一封中文邮件，谢谢您的来信。 Thank you.\r\n",
}


def charsets() -> None:
    sevenbit.codecs.register()
    print("\n| decoding 1 MB | Python, MB/s | `sevenbit-` | ratio | goal |\n|---|---:|---:|---:|---:|")
    for name, text in TEXTS.items():
        octets = (text * (1_000_000 // len(text.encode(name)))).encode(name)
        ours, theirs = codecs.lookup(f"sevenbit-{name}"), codecs.lookup(name)
        assert ours.decode(octets)[0] == theirs.decode(octets)[0]
        rates = [len(octets) / 1e6 / seconds(partial(codec.decode, octets), 20) for codec in (theirs, ours)]
        print(f"| {name} | {rates[0]:,.0f} | {rates[1]:,.0f} | {rates[1] / rates[0]:.1f} | 5 |", flush=True)


if __name__ == "__main__":
    if not CORPUS.exists():
        sys.exit("the corpus is not beside the project")
    charsets()
    messages()

#!/usr/bin/env python3
"""Times `sevenbit normalize` on a large mailbox: one core, two cores, `cp`, Python's email package, GMime; and measures
its memory. See README.md beside this file.

    cargo build --release
    benches/archives.py [--gigabytes N] [--rounds N] [--directory DIR] [--corpora DIR] [--gmime PROGRAM]
"""
import argparse
import mailbox
import os
import re
import resource
import statistics
import subprocess
import sys
import tarfile
import threading
import time
from email import message_from_bytes, policy
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def unit(corpora):
    """Both files of the corpus as one mboxrd."""
    out = bytearray()
    quoted = re.compile(rb"^(>*From )", re.M)
    with tarfile.open(corpora / "spamassassin-corpus.tar") as tar:
        for member in filter(tarfile.TarInfo.isfile, tar):
            message = tar.extractfile(member).read()
            line = b"From sender@example.org Thu Nov 19 10:00:00 2026"
            if message.startswith(b"From "):
                line, _, message = message.partition(b"\n")
            out += line + b"\n" + quoted.sub(rb">\1", message)
            out += b"\n" if message.endswith(b"\n") else b"\n\n"
    return bytes(out) + (corpora / "spamassassin-easy-ham-1.mbox").read_bytes()


def busy():
    """Seconds that all processors have worked."""
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:7])) / TICKS


def watch(pid, times, peak, stopped):
    """Processor time of each thread and peak memory, as long as it lives."""
    while not stopped.wait(0.02):
        try:
            peak.extend(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()))
        except OSError:
            pass
        for task in Path(f"/proc/{pid}/task").glob("*/stat"):
            try:
                words = task.read_text().rsplit(")", 1)[1].split()
                times[task.parent.name] = (int(words[11]) + int(words[12])) / TICKS
            except OSError:
                pass


def run(command):
    """Runs a command: wall, processor time, peak kB, processors that others took, time of the busiest thread."""
    before, begun, times, peak, stopped = busy(), time.time(), {}, [], threading.Event()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    watcher = threading.Thread(target=watch, args=(child.pid, times, peak, stopped))
    watcher.start()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.time() - begun
    stopped.set()
    watcher.join()
    if status:
        sys.exit(f"{command} ended with {status}")
    cpu = used.ru_utime + used.ru_stime
    others = max(0, busy() - before - cpu) / wall
    return wall, cpu, max(map(int, peak), default=0), others, max(times.values(), default=cpu)


def pair(command):
    """Wall time of a command of one job and its twin, which writes another file, in parallel."""
    begun = time.time()
    both = [subprocess.Popen(command), subprocess.Popen([word + "2" if word.endswith("/out") else word for word in command])]
    if any([child.wait() for child in both]):
        sys.exit(f"{command} failed beside its twin")
    return time.time() - begun


def python(path):
    """The job of Python's email package, in a process of its own."""
    seven = policy.default.clone(cte_type="7bit", linesep="\n")
    box = mailbox.mbox(path, create=False)
    with open(path + ".out", "wb") as out:
        for key in box.keys():
            raw = box.get_bytes(key)
            try:
                raw = message_from_bytes(raw, policy=seven).as_bytes(policy=seven)
            except Exception:
                pass  # It fails on some; they stay as they are.
            out.write(b"From x Thu Nov 19 10:00:00 2026\n" + raw + b"\n")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--gigabytes", type=float, default=2)
    args.add_argument("--rounds", type=int, default=5)
    args.add_argument("--directory", type=Path, default=ROOT / "target")
    args.add_argument("--corpora", type=Path, default=ROOT / "../shared/corpora/bulk")
    args.add_argument("--gmime", help="reads lines SOURCE<TAB>TARGET, writes each in 7 bits")
    args.add_argument("--python", help=argparse.SUPPRESS)
    args = args.parse_args()
    if args.python:
        return python(args.python)
    here = args.directory / "archives"
    here.mkdir(parents=True, exist_ok=True)
    one, many, out = (str(here / name) for name in ("one.mbox", "many.mbox", "out"))
    content = unit(args.corpora)
    Path(one).write_bytes(content)
    with open(many, "wb") as file:
        for _ in range(max(1, round(args.gigabytes * 1e9 / len(content)))):
            file.write(content)
    size = {path: os.path.getsize(path) / 1e6 for path in (one, many)}
    command = str(ROOT / "target/release/sevenbit")
    job = [command, "normalize", "--quiet", "-o", out]
    rows = {
        "archive, --jobs 1": (many, [*job, "--jobs", "1", many]),
        "archive, --jobs 2": (many, [*job, "--jobs", "2", many]),
        "transport, --jobs 2": (many, [*job, "--jobs", "2", "--profile", "transport", many]),
        "cp": (many, ["cp", many, out]),
    }
    print(f"{size[many]:.0f} MB, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    runs = {name: [] for name in rows}
    pairs = []
    for _ in range(args.rounds):
        pairs.append(pair(rows["archive, --jobs 1"][1]))
        Path(out + "2").unlink()
        for name, (_, line) in rows.items():
            Path(out).unlink(missing_ok=True)
            runs[name].append(run(line))
    rows["Python email"] = (one, [sys.executable, __file__, "--python", one])
    runs["Python email"] = [run(rows["Python email"][1])]
    if args.gmime:
        pieces = here / "pieces"
        pieces.mkdir(exist_ok=True)
        box = mailbox.mbox(one, create=False)
        for number, key in enumerate(box.keys()):
            (pieces / str(number)).write_bytes(box.get_bytes(key))
        names = "".join(f"{pieces}/{number}\t{pieces}/out\n" for number in range(len(box)))
        (here / "list").write_text(names)
        rows["GMime, a file a message"] = (one, ["sh", "-c", f"exec '{args.gmime}' < '{here}/list'"])
        runs["GMime, a file a message"] = [run(rows["GMime, a file a message"][1])]
    print("| | wall s | CPU s | MB/s of CPU | busiest thread s | peak kB | taken by others |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, measured in runs.items():
        wall, cpu, peak, others, thread = (statistics.median(column) for column in zip(*measured))
        rate = size[rows[name][0]] / cpu
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {rate:.0f} | {thread:.2f} | {peak:.0f} | {others:.2f} |")
    first, second = (list(zip(*runs[f"archive, --jobs {jobs}"])) for jobs in (1, 2))
    walls = statistics.median(first[0]) / statistics.median(second[0])
    two = max(statistics.median(second[1]) / 2, statistics.median(second[4]))
    machine = 2 * statistics.median(first[0]) / statistics.median(pairs)
    print(f"two processes of one job each: {machine:.2f} times the work of one by the clock")
    print(f"two jobs: {walls:.2f} times one by the clock, {statistics.median(first[1]) / two:.2f} times if both processors were free")
    subprocess.run(["rm", "-r", str(here)], check=True)


if __name__ == "__main__":
    main()

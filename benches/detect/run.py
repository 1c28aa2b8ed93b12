#!/usr/bin/env python3
"""How often guesses are right: text of real mail with its labels withheld, sevenbit compared with others.

usage: run.py [--corpora DIR] [--sevenbit COMMAND] [--docs FILE]

Everything installed takes part: `pip install chardet charset-normalizer`, `apt-get install uchardet`; chardetng is built
with cargo from the folder beside this file. `--docs` puts the table into a file between its two marks.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import tempfile

import samples

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- detection: begin -->", "<!-- detection: end -->"

# Sure enough to be written by sevenbit; the others report themselves when they do not know.
SURE = 0.65

ROWS = [("40 and more", 40, 1 << 60), ("8 to 39", 8, 40), ("1 to 7", 1, 8)]
KINDS = [("all", None), ("texts", "body"), ("subjects", "subject"), ("names", "name")]


def sevenbit(paths, command):
    lines = subprocess.run([command, "charset", "detect", "--sureness", *paths], capture_output=True, text=True, check=True)
    guesses = [line.rsplit(": ", 1)[-1].split() for line in lines.stdout.splitlines()]
    return [label if float(sureness) >= SURE else None for label, sureness in guesses]


def chardetng(paths, _):
    run = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(HERE / "chardetng/Cargo.toml"), "--", *paths]
    return subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()


def uchardet(paths, _):
    lines = subprocess.run(["uchardet", *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    labels = [line.rsplit(": ", 1)[-1] for line in lines]
    return [None if label == "unknown" else label for label in labels]


def chardet(paths, _):
    import chardet as module
    return [module.detect(pathlib.Path(path).read_bytes())["encoding"] for path in paths]


def charset_normalizer(paths, _):
    import charset_normalizer as module
    found = [module.from_bytes(pathlib.Path(path).read_bytes()).best() for path in paths]
    return [best and best.encoding for best in found]


def verdict(sample, label):
    """A guess is right if it gives the same text, whatever its name."""
    if label is None:
        return "left"
    return "right" if samples.decode(sample.octets, label) == sample.text else "wrong"


def table(found, guesses):
    names = list(guesses)
    lines = ["| octets above 7F | of | | " + " | ".join(names) + " |", "|---|---|---:|" + "---|" * len(names)]
    for kind_name, kind in KINDS:
        for row_name, least, most in ROWS:
            chosen = [at for at, sample in enumerate(found)
                      if least <= sample.significant < most and kind in (None, sample.kind)]
            if not chosen:
                continue
            cells = []
            for name in names:
                count = collections.Counter(verdict(found[at], guesses[name][at]) for at in chosen)
                share = {word: 100 * count[word] / len(chosen) for word in ("right", "wrong", "left")}
                cells.append(f"{share['right']:.1f} / {share['wrong']:.1f} / {share['left']:.1f}")
            lines.append(f"| {row_name} | {kind_name} | {len(chosen)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    root = HERE.parent.parent
    parser.add_argument("--corpora", default=root.parent / "shared/corpora")
    parser.add_argument("--sevenbit", default=root / "target/release/sevenbit")
    parser.add_argument("--docs", type=pathlib.Path)
    parser.add_argument("--wrong", action="store_true", help="print what sevenbit guesses wrong")
    options = parser.parse_args()
    found = list(samples.samples(options.corpora))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(at)) for at in range(len(found))]
        for path, sample in zip(paths, found):
            pathlib.Path(path).write_bytes(sample.octets)
        guesses = {}
        for detector in (sevenbit, chardetng, uchardet, chardet, charset_normalizer):
            try:
                guesses[detector.__name__.replace("_", "-")] = detector(paths, options.sevenbit)
            except (ImportError, OSError, subprocess.CalledProcessError) as error:
                print(f"{detector.__name__} takes no part: {error}")
    made = table(found, guesses)
    print(made)
    if options.wrong:
        for sample, label in zip(found, guesses["sevenbit"]):
            if verdict(sample, label) == "wrong":
                print(sample.kind, sample.label, label, sample.digest, ascii(sample.octets[:60]), sep="\t")
    if options.docs:
        text = options.docs.read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        options.docs.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}")


if __name__ == "__main__":
    main()

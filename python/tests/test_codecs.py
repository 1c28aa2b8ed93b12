"""Charsets, and the codecs that Python gets from them."""

import base64
import codecs
import io
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
import sevenbit.codecs

sevenbit.codecs.register()

CHARSETS = [charset for charset in sevenbit.Charset.all() if charset.is_decodable]


def test_nothing_else_has_to_be_installed() -> None:
    # A package that only type checkers need may be missing.
    code = "import sys; sys.modules['typing_extensions'] = None; import sevenbit.codecs, sevenbit.email"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("module", "missing", "extra"), [("lake", "pyarrow", "arrow"), ("spark", "pyspark", "spark")])
def test_what_has_to_be_installed_for_more_is_said(module: str, missing: str, extra: str) -> None:
    code = f"import sys; sys.modules['{missing}'] = None; import sevenbit.{module}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 1 and ran.stderr.rstrip().endswith(f"pip install 'sevenbit[{extra}]'")


def test_charsets_have_names_and_labels() -> None:
    koi = sevenbit.Charset("cskoi8r")
    assert koi.name == str(koi) == "KOI8-R" and "koi8" in [alias.lower() for alias in koi.aliases]
    assert koi == sevenbit.Charset("koi8-r") and hash(koi) == hash(sevenbit.Charset("KOI8-R"))
    assert koi.is_registered and not koi.is_stateful and repr(koi) == "Charset('KOI8-R')"
    assert sevenbit.Charset('"windows1251"', lenient=True).name == "windows-1251"
    with pytest.raises(ValueError, match="'label'"):
        sevenbit.Charset("x-nobody")
    assert len(CHARSETS) > 300


def test_detection() -> None:
    text = "Это русский текст, который надо прочесть."
    for name in ("koi8-r", "windows-1251", "ibm866"):
        guess = sevenbit.detect(text.encode(name))
        assert guess.charset.decode(text.encode(name)) == text and guess.sureness > 0.9
    unsure = sevenbit.detect(b"na\xefve")
    everything = sevenbit.detect_all(b"na\xefve")
    assert [unsure.charset, *(other.charset for other in unsure.alternatives)] == [guess.charset for guess in everything]
    assert len(everything) > 1 and all(0 < guess.sureness <= 1 for guess in everything)
    assert sevenbit.detect_all("é".encode()) == [sevenbit.Guess(sevenbit.Charset("utf-8"), 1.0)]
    assert sevenbit.detect(b"").sureness == 0


def test_every_charset_is_a_codec() -> None:
    for charset in CHARSETS:
        info = codecs.lookup(f"sevenbit-{charset.name}")
        text = "abc 123"
        try:
            octets = charset.encode(text)
        except UnicodeEncodeError:
            continue
        assert info.encode(text)[0] == octets
        assert info.decode(octets)[0] == text, charset
        assert info.incrementaldecoder("strict").decode(octets, True) == text
        assert info.incrementalencoder("strict").encode(text, True) == octets
        assert octets.decode(info.name) == text, "the name finds the codec again"


def test_python_s_own_codecs_stay() -> None:
    standard = ["utf-8", "latin-1", "iso-2022-jp", "hz", "utf-7", "koi8-r", "cp437", "gb18030", "euc-kr", "tis-620"]
    modules = {name: codecs.lookup(name).incrementaldecoder.__module__ for name in standard}
    assert not [name for name, module in modules.items() if module.startswith("sevenbit")]
    script = (
        "import codecs, encodings.aliases as a; before = {n: codecs.lookup(n).name for n in set(a.aliases.values()) - {'mbcs'}};"
        "import sevenbit.codecs; sevenbit.codecs.register(); sevenbit.codecs.register();"
        "assert before == {n: codecs.lookup(n).name for n in before}; print(len(before))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 90


@pytest.mark.parametrize(
    ("name", "octets", "text"),
    [
        ("iso-2022-cn", b"\x1b$)A\x0e=;;;\x0f", "交换"),
        ("imap-utf-7", b"Entw&APw-rfe", "Entwürfe"),
        ("utf-7-imap", b"&ZeVnLIqe-", "日本語"),
        ("tscii", b"\xab", "அ"),
        ("ebcdic-us", b"\x81\x82\x83", "abc"),
        ("x-mac-cyrillic", b"\x80", "А"),
        ("unicode-1-1-utf-7", b"+Jjo-", "☺"),
        ("scsu", b"\xd6l", "Öl"),
        ("viscii", b"Vi\xaet", "Việt"),
    ],
)
def test_what_python_lacks_it_gets(name: str, octets: bytes, text: str) -> None:
    assert octets.decode(name) == text
    assert codecs.lookup(name).decode(text.encode(name))[0] == text


def test_unknown_names_stay_unknown() -> None:
    for name in ("x-nobody", "sevenbit-x-nobody", "sevenbit-"):
        with pytest.raises(LookupError):
            codecs.lookup(name)


def test_errors_are_python_s() -> None:
    with pytest.raises(UnicodeDecodeError) as caught:
        b"ab\x83\xff".decode("sevenbit-shift_jis")
    assert (caught.value.start, caught.value.object) == (2, b"ab\x83\xff")
    assert b"ab\x83\xff".decode("sevenbit-shift_jis", "replace").startswith("ab�")
    with pytest.raises(UnicodeEncodeError) as encoding:
        "é5 €".encode("sevenbit-iso-8859-1")
    assert (encoding.value.start, encoding.value.end, encoding.value.object) == (3, 4, "é5 €")
    assert "5 €".encode("sevenbit-iso-8859-1", "replace") == b"5 ?"
    assert "5 €!".encode("sevenbit-iso-8859-1", "xmlcharrefreplace") == b"5 &#8364;!"
    assert "5 €!".encode("sevenbit-iso-8859-1", "ignore") == b"5 !"
    assert "日€本".encode("sevenbit-iso-2022-jp", "backslashreplace").decode("iso-2022-jp") == "日\\u20ac本"


def test_surrogates_stand_for_octets() -> None:
    for octets in (b"a\xff\xc3\xa9\xed\xa0\x80\xf0\x9f", bytes(range(256)), b""):
        text = octets.decode("sevenbit-utf-8", "surrogateescape")
        assert text == octets.decode("utf-8", "surrogateescape")
        assert text.encode("sevenbit-utf-8", "surrogateescape") == octets
    for octets in (b"ab\xff\xfe", b"\xa4\xff\xa4\xa2", b"\xa4"):
        text = octets.decode("sevenbit-euc-jp", "surrogateescape")
        assert text.encode("sevenbit-euc-jp", "surrogateescape") == octets
    with pytest.raises(LookupError, match="shift states"):
        b"\xff".decode("sevenbit-iso-2022-jp", "surrogateescape")
    with pytest.raises(UnicodeEncodeError):
        "\ud800".encode("sevenbit-utf-8")
    assert b"a\xffb".decode("sevenbit-euc-kr", "backslashreplace") == "a\\xffb"
    assert b"a\xffb".decode("sevenbit-euc-kr", "ignore") == "ab"


def test_handlers_are_asked_in_time_that_grows_with_the_text() -> None:
    octets = b"\xff" * 100_000
    assert octets.decode("sevenbit-euc-kr", "ignore") == ""
    assert ("€" * 100_000).encode("sevenbit-iso-8859-1", "ignore") == b""


def test_files_are_read_and_written(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for name in ("sevenbit-iso-2022-jp", "sevenbit-utf-7", "sevenbit-hz", "sevenbit-utf-16", "iso-2022-cn"):
        shown = "Привет\n日本\n" * 5000
        path = tmp_path / name
        with open(path, "w", encoding=name, newline="") as file:
            for line in shown.splitlines(keepends=True):
                file.write(line)
        with open(path, encoding=name, newline="") as file:
            assert file.read() == shown
            file.seek(0)
            assert file.readline() == shown.splitlines(keepends=True)[0]
        with codecs.open(str(path), encoding=name) as stream:
            assert stream.read() == shown
    stream_out = io.BytesIO()
    writer = codecs.getwriter("sevenbit-iso-2022-jp")(stream_out)
    writer.write("日")
    writer.write("本")
    writer.reset()
    assert stream_out.getvalue().decode("iso-2022-jp") == "日本"


SAMPLES = ("한글", "Việt Nam đi", "日本語のか", "か゚", "é", "தமிழ்க", "中文字", "Привет", "ŝ€", "ᄀ각ㄱ", "Ä\n")


def written(charset: sevenbit.Charset) -> list[str]:
    """The samples that a charset can write."""
    return [sample for sample in SAMPLES if _is_written(charset, sample)]


def _is_written(charset: sevenbit.Charset, text: str) -> bool:
    try:
        return charset.decode(charset.encode(text)) == text
    except UnicodeEncodeError:
        return False


@pytest.mark.parametrize("charset", CHARSETS, ids=str)
def test_a_text_file_has_all_that_was_written(tmp_path: Path, charset: sevenbit.Charset) -> None:
    name = f"sevenbit-{charset.name.lower()}"
    path = tmp_path / "file"
    for text in written(charset):
        with open(path, "w", encoding=name, newline="") as file:
            file.write(text)
        assert charset.decode(path.read_bytes(), "strict") == text
        with codecs.open(str(path), "w", encoding=name) as stream:
            stream.write(text)
        assert charset.decode(path.read_bytes(), "strict") == text

        letters, refused = path.with_name("letters"), False
        with open(letters, "w", encoding=name, newline="") as file:
            for letter in text:
                try:
                    file.write(letter)
                except UnicodeEncodeError:
                    refused = True
                    break
        # What a charset only has as one with the letter before, which is in the file already, is refused, and not lost.
        assert refused == (text in ("தமிழ்க", "か゚")) or charset.name not in ("TSCII", "EUC-JIS-2004", "Shift_JIS-2004", "ISO-2022-JP-3")
        assert refused or charset.decode(letters.read_bytes(), "strict") == text


def test_octets_of_handlers_are_in_their_places() -> None:
    codecs.register_error("sevenbit-test-octets", lambda error: (b"1234", cast(UnicodeEncodeError, error).end))
    for charset in CHARSETS:
        name = f"sevenbit-{charset.name.lower()}"
        if not _is_written(charset, "abcdef") or _is_written(charset, "\ue123"):
            continue
        announcement = b"\x1b$)C" if charset.name == "ISO-2022-KR" else b""
        whole = charset.encode("abc") + b"1234" + charset.encode("def").removeprefix(announcement)
        assert "abc\ue123def".encode(name, "sevenbit-test-octets") == whole, charset
    assert "日\ue123本".encode("sevenbit-iso-2022-jp", "sevenbit-test-octets") == b"\x1b$BF|\x1b(B1234\x1b$BK\\\x1b(B"


def test_pieces_are_one_text() -> None:
    text = "Hi Mom -☺-! 日本語"
    for name in ("utf-7", "utf-16", "gb18030", "utf-8"):
        charset = sevenbit.Charset(name)
        octets = charset.encode(text)
        decoder = sevenbit.Decoder(charset)
        assert "".join(decoder.decode(octets[at : at + 1]) for at in range(len(octets))) + decoder.decode(b"", True) == text
        encoder = sevenbit.Encoder(charset)
        assert b"".join(encoder.encode(letter) for letter in text) + encoder.encode("", True) == octets
    decoder = sevenbit.Decoder(sevenbit.Charset("utf-8"))
    decoder.decode(b"\xe2\x82")
    with pytest.raises(UnicodeDecodeError):
        decoder.decode(b"", True)
    assert decoder.decode(b"ok", True) == "ok", "it begins anew"
    with pytest.raises(ValueError, match="'errors'"):
        sevenbit.Decoder(sevenbit.Charset("utf-8"), "ignore")  # type: ignore[arg-type]


@given(st.sampled_from(CHARSETS), st.binary(max_size=60), st.integers(0, 60))
def test_any_octets_are_decoded_alike_in_pieces(charset: sevenbit.Charset, octets: bytes, cut: int) -> None:
    whole = charset.decode(octets)
    decoder = sevenbit.Decoder(charset, "replace")
    assert decoder.decode(octets[:cut]) + decoder.decode(octets[cut:], True) == whole
    try:
        assert charset.decode(octets, "strict") == whole
    except UnicodeDecodeError as error:
        assert 0 <= error.start <= error.end <= len(octets)


@given(st.sampled_from(CHARSETS), st.text(max_size=40))
def test_what_is_encoded_comes_back(charset: sevenbit.Charset, text: str) -> None:
    try:
        octets = charset.encode(text)
    except UnicodeEncodeError as error:
        assert error.object == text and text[error.start] == text[error.start : error.end]
        return
    if charset.is_stateful or charset.name.startswith("UTF-"):
        return  # a signature or an escape of its own may be read as one
    assert charset.encode(charset.decode(octets)) == octets or charset.decode(octets) != text


@given(st.binary(max_size=60))
def test_utf8b_is_python_s(octets: bytes) -> None:
    assert octets.decode("sevenbit-utf-8", "surrogateescape").encode("sevenbit-utf-8", "surrogateescape") == octets


@given(st.sampled_from(CHARSETS), st.text(min_size=1, max_size=40), st.integers(0, 9))
def test_long_text_is_decoded_as_short_text_is(charset: sevenbit.Charset, letters: str, more: int) -> None:
    text = "".join(letter for letter in letters if letter >= " ") * 2000 + "é" * more
    try:
        octets = charset.encode(text)
    except UnicodeEncodeError:
        return
    short = sevenbit.Decoder(charset)  # only its pieces have to be long
    pieces = [short.decode(octets[at : at + 500]) for at in range(0, len(octets), 500)]
    assert charset.decode(octets, "strict") == charset.decode(octets) == "".join(pieces) + short.decode(b"", True)


def test_pairs_of_surrogates_stay_together() -> None:
    for before in range(3):
        text = "語" * before + "\U0001f600" * 20_000
        for name in ("utf-7", "utf-16", "gb18030"):
            assert text.encode(f"sevenbit-{name}").decode(f"sevenbit-{name}") == text


@pytest.mark.parametrize("letters", ["a", "aé", "aé語", "aé語\U0001f600"])
def test_long_text_is_a_string_as_any_other(letters: str) -> None:
    text = letters * 3_000
    # UTF-7 whose letters are shifted as well: code units are requested whatever they turn out to be.
    octets = b"+" + base64.b64encode(text.encode("utf-16-be")).rstrip(b"=") + b"-"
    found = octets.decode("sevenbit-utf-7")
    assert found == text and hash(found) == hash(text) and sys.getsizeof(found) == sys.getsizeof(text)


def test_without_ctypes_long_text_is_the_same() -> None:
    code = """
import sys
from pathlib import Path
sys.modules["ctypes"] = None
import sevenbit.codecs
sevenbit.codecs.register()
text = "これは日本語です。 ok" * 5_000
assert text.encode("iso-2022-jp").decode("sevenbit-iso-2022-jp") == text
"""
    subprocess.run([sys.executable, "-c", code], check=True)

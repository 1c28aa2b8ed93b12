"""The examples that `help()` shows."""

import doctest
import inspect
import mailbox
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast
from wsgiref.util import setup_testing_defaults
from wsgiref.validate import validator

import pytest
from conftest import PROJECT, own_mail

import sevenbit
import sevenbit.codecs
import sevenbit.email
from sevenbit import _sevenbit, lake, mailbox_name, utf7

sys.path.append(str(PROJECT / "python"))


@pytest.mark.parametrize("module", [sevenbit, sevenbit.codecs, sevenbit.email, lake, mailbox_name, utf7])
def test_examples_of_modules_do_what_they_say(module: ModuleType) -> None:
    tried = doctest.testmod(module)
    assert tried.attempted > 1 and tried.failed == 0


def test_examples_do_what_they_say() -> None:
    runner = doctest.DocTestRunner()
    found = [_sevenbit, *(value for name, value in vars(_sevenbit).items() if not name.startswith("__"))]
    for value in found:
        name, names = getattr(value, "__name__", "module"), dict(vars(_sevenbit))
        runner.run(doctest.DocTestParser().get_doctest(value.__doc__ or "", names, name, None, 0))
    assert runner.tries > 15 and runner.failures == 0


@pytest.mark.parametrize("module", [sevenbit, sevenbit.codecs, sevenbit.email, lake, mailbox_name, utf7])
def test_every_public_name_has_an_example(module: ModuleType) -> None:
    for name in module.__all__:
        described = getattr(module, name)
        if inspect.isclass(described) or callable(described):
            assert ">>>" in (inspect.getdoc(described) or ""), name


def test_everything_is_described() -> None:
    for name, value in vars(_sevenbit).items():
        if name.startswith("_"):
            continue
        assert inspect.getdoc(value), name
        for member, what in vars(value).items() if inspect.isclass(value) else ():
            assert member.startswith("_") or inspect.getdoc(what), f"{name}.{member}"


def test_the_stub_has_the_documentation() -> None:
    stubs = pytest.importorskip("stubs", reason="only in a clone")
    assert stubs.documented(stubs.STUB.read_text(encoding="utf-8"), _sevenbit) == stubs.STUB.read_text(encoding="utf-8"), "run stubs.py"


@pytest.mark.parametrize("path", own_mail(), ids=lambda path: path.name)
def test_the_example_shows_any_message(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = runpy.run_path(str(PROJECT / "examples" / "python" / "view.py"))
    shown["main"](str(path))
    assert "Subject:" in capsys.readouterr().out


def test_the_example_serves_a_page() -> None:
    served = runpy.run_path(str(PROJECT / "examples" / "python" / "serve.py"))
    gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    parts = [
        "Content-Type: text/html\n\n<img src='cid:a@x'><img src='cid:b@x'><img src='cid:c@x'>",
        f"Content-Type: text/plain\nContent-ID: <a@x>\nContent-Transfer-Encoding: base64\n\n{gif}",
        "Content-Type: image/gif\nContent-ID: <b@x>\n\n<script>",
    ]
    mail = "Content-Type: multipart/related; boundary=b\n\n--b\n" + "\n--b\n".join(parts) + "\n--b--\n"
    given: list[Any] = []
    environ: dict[str, Any] = {"QUERY_STRING": ""}
    setup_testing_defaults(environ)
    answer = validator(served["application"](mail.encode()))(environ, lambda *started: given.append(started) or (lambda _: None))  # type: ignore[func-returns-value]
    shown = b"".join(answer).decode()
    cast(Any, answer).close()
    assert shown == f"<img src='data:image/gif;base64,{gif}'><img src='cid:b@x'><img src='cid:c@x'>"
    assert given[0][0] == "200 OK" and "sandbox; default-src 'none'" in dict(given[0][1])["Content-Security-Policy"]
    assert served["page"](b"Subject: x\n\n<b>&\n") == "<pre>&lt;b&gt;&amp;\n</pre>"


def test_the_example_of_outlook_in_the_readme_takes_a_store(tmp_path: Path) -> None:
    """It is skipped where the README alone is tried: there is no store."""
    found = doctest.DocTestParser().get_examples((PROJECT / "python" / "README.md").read_text(encoding="utf-8"))
    [example] = [each.source for each in found if "mail.pst" in each.source]
    box = mailbox.mbox(tmp_path / "mail.mbox")
    exec(example.replace("mail.pst", str(PROJECT / "tests" / "files" / "store.pst")), {"sevenbit": sevenbit, "box": box})
    assert len(box) > 1 and all(box.get_bytes(key).isascii() for key in box.keys())


def test_the_example_normalizes_a_maildir(tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "from")
    for path in own_mail()[:20]:
        box.add(path.read_bytes())
    example = runpy.run_path(str(PROJECT / "examples" / "python" / "normalize_maildir.py"))
    example["main"](str(tmp_path / "from"), str(tmp_path / "to"))
    assert len(mailbox.Maildir(tmp_path / "to")) == 20

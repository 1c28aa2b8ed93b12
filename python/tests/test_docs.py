"""The examples that `help()` shows."""

import doctest
import inspect
import mailbox
import runpy
import sys
from pathlib import Path
from types import ModuleType

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


def test_the_example_normalizes_a_maildir(tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "from")
    for path in own_mail()[:20]:
        box.add(path.read_bytes())
    example = runpy.run_path(str(PROJECT / "examples" / "python" / "normalize_maildir.py"))
    example["main"](str(tmp_path / "from"), str(tmp_path / "to"))
    assert len(mailbox.Maildir(tmp_path / "to")) == 20

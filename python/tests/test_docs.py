"""The examples that `help()` shows."""

import doctest
import inspect
from types import ModuleType

import pytest

import sevenbit
import sevenbit.codecs
import sevenbit.email
from sevenbit import _sevenbit, lake, mailbox_name, utf7


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

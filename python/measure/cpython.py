"""CPython's own tests of multibyte codecs, over the codecs of sevenbit: python measure/cpython.py

Needs a Python with the package `test`. Each test that is for a charset is run with `sevenbit-CHARSET` in its place; what
still differs, and why, is in docs/charsets.md.
"""

import importlib
import sys
import unittest
from typing import Any

import sevenbit.codecs

MODULES = [f"test.test_codecencodings_{name}" for name in ("cn", "hk", "iso2022", "jp", "kr", "tw")]


def cases() -> list[type[unittest.TestCase]]:
    """The tests of charsets that sevenbit has, for its own codecs."""
    found = []
    for name in MODULES:
        module = importlib.import_module(name)
        for case in vars(module).values():
            encoding = getattr(case, "encoding", None)
            if not (isinstance(case, type) and issubclass(case, unittest.TestCase) and encoding):
                continue
            if sevenbit.codecs._search(f"sevenbit_{encoding}") is not None:
                replaced: dict[str, Any] = {"encoding": f"sevenbit-{encoding}"}
                found.append(type(case.__name__, (case,), replaced))
            else:
                print(f"no charset of sevenbit: {encoding}")
    return found


def main() -> None:
    sevenbit.codecs.register()
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases())
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(suite)
    differ = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - differ} of {result.testsRun} agree")


if __name__ == "__main__":
    main()

"""Every front end says the same about the same files: `tests/files/table.json` has the answers."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT

import sevenbit
from sevenbit import lake

FILES = PROJECT / "tests" / "files"
TABLE: list[dict[str, Any]] = json.loads((FILES / "table.json").read_text(encoding="utf-8"))
COLUMNS = ("path", "subject", "folder", "kind", "error", "octets", "corrupt")


@pytest.mark.parametrize("expected", TABLE, ids=lambda expected: expected["name"])
def test_the_lake_has_the_answers_of_the_table(expected: dict[str, Any], tmp_path: Path) -> None:
    shutil.copy(FILES / expected["name"], tmp_path)
    rows = [row for batch in lake.read(tmp_path, columns=COLUMNS) for row in batch.to_pylist()]
    mail = [row for row in rows if row["kind"] == "message"]
    others = [row["kind"] for row in rows if row["kind"] != "message" and row["error"] is None]
    assert [row["subject"] for row in mail] == expected["subjects"]
    assert [row["folder"] for row in mail if row["folder"]] == expected.get("folders", [])
    assert sorted(others) == sorted(expected["no_mail"])
    assert len([row for row in rows if row["error"] is not None]) == expected["errors"]
    for row in rows:
        assert (row["octets"] is None) == (row["kind"] != "message")
    assert all(row["corrupt"] is None for row in mail)


def test_files_of_outlook_are_opened_by_their_octets_and_by_their_path() -> None:
    octets = (FILES / "japanese.msg").read_bytes()
    messages = sevenbit.read_outlook(FILES / "japanese.msg")
    [(folder, mail)] = messages
    assert folder == "" and sevenbit.parse(mail).subject == "日本語" and messages.errors == []
    with (FILES / "japanese.msg").open("rb") as file:
        assert list(sevenbit.read_outlook(file)) == [("", mail)]
    for same in (octets, bytearray(octets), str(FILES / "japanese.msg")):
        assert list(sevenbit.read_outlook(same)) == [("", mail)]

    for store in (FILES / "store.pst", (FILES / "store.pst").read_bytes()):
        messages = sevenbit.read_outlook(store)
        found = [(folder, sevenbit.parse(mail).subject) for folder, mail in messages]
        [expected] = [each for each in TABLE if each["name"] == "store.pst"]
        assert found == list(zip(expected["folders"], expected["subjects"], strict=True))
        assert [folder for folder, _ in messages.errors] == ["In_box/Ältere"]

    for name, said in [("paper.pdf", "no file of Outlook, but a PDF document"), ("Inbox.dbx", "which is not read"), ("damaged.msg", "cannot be read")]:
        with pytest.raises(ValueError, match=said):
            sevenbit.read_outlook(FILES / name)
    with pytest.raises(TypeError, match="expected a path"):
        sevenbit.read_outlook(7)  # type: ignore[arg-type]
    for path in ("nowhere.msg", Path("nowhere.msg")):
        with pytest.raises(FileNotFoundError) as raised:
            sevenbit.read_outlook(path)
        with pytest.raises(FileNotFoundError) as of_python:
            open(path)
        assert str(raised.value) == str(of_python.value) and raised.value.filename == of_python.value.filename


def test_what_is_no_mail_is_no_message_in_any_mode() -> None:
    assert [row["subject"] for batch in lake.read(FILES / "paper.pdf", columns=["subject"], mode="dropmalformed") for row in batch.to_pylist()] == []
    with pytest.raises(ValueError, match="is no mail, but a PDF document"):
        list(lake.read(FILES / "paper.pdf", mode="failfast"))

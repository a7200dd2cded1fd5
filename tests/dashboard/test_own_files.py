"""The form for the user's own files: what was chosen is kept, and the form can be opened again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import own_files, text
from dashboard.limits import Limits, limits
from dashboard.registry import RUNS
from dashboard.text import upload as words

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")
SOURCE, TARGET = b"source,target\na,b\nb,c\n", b"source,target\nx,y\ny,z\nz,x\n"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The Align page with the form open."""
    monkeypatch.setattr(RUNS, "warm", lambda: None)
    app = AppTest.from_file(APP, default_timeout=60).run()
    return sound(app.selectbox(key="pair").set_value("upload").run())


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    return app


def give(app: AppTest, **files: bytes) -> AppTest:
    for key, content in files.items():
        app.file_uploader(key=f"file_{key}").set_value((f"{key}.csv", content, "text/csv"))
    return sound(app.run())


def press(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if b.label == label)
    assert not button.disabled
    return sound(button.click().run())


def kept(app: AppTest) -> list[str]:
    """Names of the files that the form says it keeps."""
    return [c.value.replace("\\", "").split(" (")[0] for c in app.caption if "is kept" in c.value]


def facts(app: AppTest, table: int) -> dict[str, str]:
    value = app.table[table].value
    return dict(zip(value.iloc[:, 0], value.iloc[:, 1], strict=True))


def test_files_outlive_the_form(page: AppTest) -> None:
    app = give(page, source=SOURCE, target=TARGET, truth=b"source,target\na,x\n", source_nodes=b"id\na\nalone\n")
    next(g for g in app.button_group if g.key == "source_direction").set_value("directed")
    app = press(sound(app.run()), text.UPLOAD_CANCEL)
    app = sound(app.selectbox(key="pair").set_value("upload").run())
    assert kept(app) == ["source.csv", "target.csv", "truth.csv", "source_nodes.csv"]
    assert (facts(app, 0)["Nodes"], facts(app, 0)["Direction"]) == ("4", "directed")
    assert any("1 of 1 rows used" in info.value for info in app.info)
    app = sound(app.button(key="remove_truth").click().run())
    assert kept(app) == ["source.csv", "target.csv", "source_nodes.csv"]
    assert not app.info
    app = press(app, text.UPLOAD_USE)
    assert app.session_state["session"].uploaded.truth is None
    assert app.session_state["session"].uploaded.source.directed


def test_the_form_of_files_in_use_opens_again(page: AppTest) -> None:
    app = press(give(page, source=SOURCE, target=TARGET), text.UPLOAD_USE)
    sizes = next(c for c in app.sidebar.caption if "nodes" in c.value)
    assert sizes.value == "3 ↔ 3 nodes, 2 ↔ 3 edges"
    assert "undirected" in sizes.help
    first = app.session_state["session"]
    app = press(app, words.CHANGE)
    assert kept(app) == ["source.csv", "target.csv"]
    assert app.session_state["session"].uploaded is first.uploaded
    app = press(give(app, truth=b"source,target\na,x\nb,y\n"), text.UPLOAD_USE)
    assert app.session_state["session"].uploaded.truth.tolist() == [[0, 0], [1, 1]]
    assert app.session_state["session"].data != first.data
    given = {"source": "source.csv", "target": "target.csv", "truth": "truth.csv"}
    assert app.session_state["session"].data.origin.given == given
    assert [b.label for b in app.sidebar.button if b.label == words.CHANGE]


def test_another_file_takes_the_place_of_a_kept_one_until_it_is_taken_back(page: AppTest) -> None:
    app = press(give(page, source=SOURCE, target=TARGET), text.UPLOAD_USE)
    app = give(press(app, words.CHANGE), source=TARGET)
    assert kept(app) == ["target.csv"]
    assert facts(app, 0)["Edges"] == "3"
    app.file_uploader(key="file_source").set_value(None)
    app = sound(app.run())
    assert kept(app) == ["target.csv"]
    assert next(b for b in app.button if b.label == text.UPLOAD_USE).disabled


def test_what_the_readers_would_refuse_is_not_kept(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    small: Callable[[], Limits] = lambda: Limits(**{**vars(limits()), "upload_mb": 0})  # noqa: E731
    monkeypatch.setattr(own_files, "limits", small)
    app = press(give(page, source=SOURCE), text.UPLOAD_CANCEL)
    assert not kept(sound(app.selectbox(key="pair").set_value("upload").run()))

"""Recorded games: every variant of every game has one, and it is what the game plays today."""

from __future__ import annotations

import pytest

from tests.record import main, recorded_games
from tests.support import recording
from tests.support.recording import FOLDER, path_of, record

CASES = [(name, variant) for name, kind in recorded_games().items() for variant in kind.variants]


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_recording_is_up_to_date(name, variant):
    path = path_of(name, variant)
    assert path.exists(), f"{name} {variant} has no recording: run `make record`"
    kind = recorded_games()[name]
    played = record(kind(**kind.variants[variant]), variant).splitlines()
    recorded = path.read_text(encoding="utf-8").splitlines()
    for number, (now, then) in enumerate(zip(played, recorded, strict=False), start=1):
        assert now == then, f"{path.name}:{number} differs; if that is meant, raise the version and run `make record`"
    assert len(played) == len(recorded)


def test_every_game_has_a_default_variant_and_no_recording_is_left_over():
    assert all("default" in kind.variants for kind in recorded_games().values())
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name, variant).name for name, variant in CASES}


def test_record_command_writes_the_named_games_only(tmp_path, monkeypatch, capsys):
    import tests.record

    for module in (recording, tests.record):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "tests" / "recordings")
    (tmp_path / "tests").mkdir()
    assert main(["tiny"]) == 0
    written = tmp_path / "tests" / "recordings"
    assert {path.name for path in written.iterdir()} == {"tiny-default.txt", "tiny-capped.txt"}
    assert (written / "tiny-default.txt").read_text() == (FOLDER / "tiny-default.txt").read_text()
    assert capsys.readouterr().out.split() == ["tests/recordings/tiny-default.txt", "tests/recordings/tiny-capped.txt"]


def test_recording_shows_a_change_of_rules_of_encoding_and_of_the_mask(tiny, monkeypatch):
    plain = record(tiny, "default")
    assert "-> play" in plain
    assert "outcome: {reason:" in plain
    assert plain == record(tiny, "default")
    assert plain != record(tiny, "default", seed=recording.SEED + 1)
    observe = tiny.observe
    monkeypatch.setattr(type(tiny), "observe", lambda self, states, index, seat: observe(states, index, seat) * 0.5)
    assert record(tiny, "default") != plain

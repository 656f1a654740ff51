"""Settings: files, overrides, mistakes."""

from __future__ import annotations

import pytest

from cardzoo.envs import ConfigError
from cardzoo.training.settings import (
    TrainSettings,
    config_names,
    describe_settings,
    dump_settings,
    load_settings,
    parse_settings,
)


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "run.yaml"

    def write(text):
        path.write_text(text)
        return str(path)

    return write


@pytest.mark.parametrize("name", config_names())
def test_every_shipped_configuration_is_valid_and_names_its_game(name):
    settings = load_settings(name)
    assert name.startswith(settings.game)


def test_a_dump_is_the_same_settings_again(config):
    settings = load_settings(config("game: bedroom_battle\nteacher: {games: 7}\n"), ["pool.heuristics.planner=0.3"])
    assert load_settings(config(dump_settings(settings))) == settings
    assert settings.teacher.games == 7


def test_overrides_change_one_setting_and_keep_its_neighbours(config):
    path = config("game: bedroom_battle\npool: {heuristics: {planner: 0.1, greedy: 0.2}}\n")
    settings = load_settings(path, ["pool.heuristics.planner=0.5", "ppo.learning-rate=3e-4", "network.trunk=[8, 4]"])
    assert settings.pool.heuristics == {"planner": 0.5, "greedy": 0.2}
    assert settings.ppo.learning_rate == 3e-4
    assert settings.network.trunk == [8, 4]
    assert load_settings(path, ["options.challenges=skip", "teacher.games=9"]).options == {"challenges": "skip"}
    assert load_settings(path, ["teacher.games=9", "teacher=null"]).teacher is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a mapping"),
        ("game: [", "not valid YAML"),
        ("- game", "must be a mapping"),
        ("ppo: {}", "game is missing"),
        ("game: x\nlerning_rate: 3", "unknown setting 'lerning_rate'; did you mean ppo.learning_rate"),
        ("game: x\nppo: {learnin_rate: 3}", "unknown setting 'ppo.learnin_rate'; did you mean ppo.learning_rate"),
        ("game: x\nppo: {gamma: 3}", "ppo.gamma: input should be less than or equal to 1, got 3"),
        ("game: x\nppo: 3", "ppo: "),
        ("game: x\nrun: {num_envs: many}", "run.num_envs: "),
        ("game: x\nnetwork: {activation: sigmoid}", "network.activation: input should be 'relu', 'tanh' or 'silu'"),
        ("game: x\npool: {latest: 0, past: 0, random: 0, heuristics: {}}", "pool: all shares are 0"),
        ("game: x\npool: {heuristics: {planner: 2}}", "pool.heuristics.planner: "),
        ("game: x\nseed: -1", "seed: "),
    ],
)
def test_mistakes_in_a_file_are_one_sentence(config, text, message):
    with pytest.raises(ConfigError) as caught:
        load_settings(config(text))
    assert message in str(caught.value)
    assert "run.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("ppo.learning_rate", "write it as key=value"),
        ("ppo.learnin_rate=3", "unknown setting 'ppo.learnin_rate'; did you mean ppo.learning_rate"),
        ("gamma=0.9", "did you mean ppo.gamma"),
        ("ppo.gamma=0.9.9", "ppo.gamma: "),
        ("ppo.gamma=[", "cannot be read"),
        ("run.total_steps=0", "run.total_steps: "),
    ],
)
def test_mistakes_in_overrides_are_one_sentence(config, override, message):
    with pytest.raises(ConfigError) as caught:
        load_settings(config("game: bedroom_battle\n"), [override])
    assert message in str(caught.value)


def test_a_missing_file_or_configuration_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nothing.yaml: cannot be read"):
        load_settings(str(tmp_path / "nothing.yaml"))
    with pytest.raises(ConfigError, match="no training configuration 'bedrom'"):
        load_settings("bedrom")
    with pytest.raises(ConfigError, match="either a file"):
        load_settings("x.yaml", config="demo")


def test_every_setting_has_a_help_text():
    lines = describe_settings().splitlines()
    assert len(lines) > 40
    assert all(len(line) > 45 for line in lines)


def test_settings_are_immutable():
    settings = parse_settings({"game": "x"}, "test")
    assert isinstance(settings, TrainSettings)
    with pytest.raises(ValueError, match="frozen"):
        settings.seed = 3

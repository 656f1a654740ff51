"""`cardzoo balance`: shares of wins by faction."""

from __future__ import annotations

import pytest

from cardzoo.envs import OptionError, load
from cardzoo.training.balance import balance, table
from cardzoo.training.cli import main


@pytest.mark.parametrize("options", [{"seats": 4}, {"teams": [0, 1, 0, 1]}])
def test_every_faction_is_counted_and_shares_add_up(options) -> None:
    game = load("battle_requiem", **options)
    result = balance(game, "random", 300, seed=1, threads=2)
    assert len(result.factions) == 18
    assert sum(faction.games for faction in result.factions) == 300 * 4
    won = sum(faction.games * faction.wins.value for faction in result.factions)
    assert won == pytest.approx(300 * (2 if "teams" in options else 1))
    assert result.fair == (1 / 2 if "teams" in options else 1 / 4)
    assert result == balance(game, "random", 300, seed=1, threads=1)
    assert [faction.wins.value for faction in result.factions] == sorted(
        (faction.wins.value for faction in result.factions), reverse=True
    )
    assert "moss_healer" in table(result)
    assert f"returns: winner: +1 the last {'team' if 'teams' in options else 'seat'} standing" in table(result)


def test_a_game_whose_deals_settle_no_faction_is_refused() -> None:
    for game in (load("bedroom_battle"), load("battle_requiem", characters="draft")):
        with pytest.raises(OptionError, match=r"no seat has a faction when the game begins\.$"):
            balance(game, "random", 10)


def test_command_prints_the_table(capsys) -> None:
    assert main(["balance", "battle_requiem", "--agent", "random", "--games", "40", "--quiet"]) == 0
    assert "a fair share is 50.0 %" in capsys.readouterr().out
    assert main(["balance", "battle_requiem", "--games", "0"]) == 2
    assert "--games must be at least 1, not 0" in capsys.readouterr().err

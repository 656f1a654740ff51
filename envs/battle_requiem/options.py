"""The options of Battle Requiem: each with its default, its range and the sentence that explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, cast

import numpy as np
import pydantic
from pydantic import BaseModel, ConfigDict, Field

from cardzoo.envs.battle_requiem.card_file import RequiemCardFile
from cardzoo.envs.battle_requiem.state import MAX_SEATS
from cardzoo.envs.battle_requiem.tables import DRAFTED, GIVEN, RANDOM
from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.fields import Checker, Identifier, OneOf, Whole, shown, suggestion

NAME: Final = "battle_requiem"
MIN_SEATS: Final = 2
MAX_TURNS: Final = 32_000  # an int16 field of the state record
TURNS_PER_SEAT: Final = 100


@dataclass(frozen=True)
class Teams(Checker):
    """None, or the team number of each seat: teams 0..G-1 of equal size, at least two of them."""

    def check(self, value: Any) -> tuple[int, ...] | None:
        """Return the team numbers as a tuple."""
        if value is None or (isinstance(value, str) and value == "none"):  # what a command line can write
            return None
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be none or a list of team numbers by seat such as [0, 1, 0, 1], not {shown(value)}")
        if not MIN_SEATS <= len(value) <= MAX_SEATS:
            raise ValueError(f"must list the teams of {MIN_SEATS} to {MAX_SEATS} seats, not of {len(value)}")
        for team in value:
            if not isinstance(team, (int, np.integer)) or isinstance(team, bool):
                raise ValueError(f"must hold whole numbers only, not {shown(team)}")
        teams = tuple(int(team) for team in value)
        count = len(set(teams))
        if set(teams) != set(range(count)):
            raise ValueError(f"must number its {count} teams from 0 to {count - 1}, not {shown(list(teams))}")
        if count < 2:
            raise ValueError(f"must have at least two teams, not {shown(list(teams))}")
        if any(teams.count(team) * count != len(teams) for team in range(count)):
            raise ValueError(f"must have teams of equal size, not {shown(list(teams))}")
        return teams


@dataclass(frozen=True)
class Characters(Checker):
    """`random`, `draft`, or the character id of each seat, all different."""

    def check(self, value: Any) -> str | tuple[str, ...]:
        """Return the word, or the ids as a tuple."""
        words = ("random", "draft")
        if isinstance(value, str) and value in words:
            return value
        if not isinstance(value, (list, tuple)):
            raise ValueError(
                f"must be random, draft or a list of character ids by seat, not {shown(value)}"
                f"{suggestion(value, words)}"
            )
        if not MIN_SEATS <= len(value) <= MAX_SEATS:
            raise ValueError(f"must name the characters of {MIN_SEATS} to {MAX_SEATS} seats, not of {len(value)}")
        for number, character in enumerate(value):
            try:
                Identifier().check(character)
            except ValueError:
                raise ValueError(f"must hold character ids only, not {shown(character)}") from None
            if character in value[:number]:
                raise ValueError(f"must name different characters, but {shown(character)} is there twice")
        return tuple(value)


class RequiemOptions(BaseModel):
    """All options; defaults that depend on others have been filled in, so the same model comes from its own values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: Annotated[int, Whole(MIN_SEATS, MAX_SEATS)] = Field(
        2, description="number of seats; if not given, the length of teams or of the characters list, else 2"
    )
    teams: Annotated[tuple[int, ...] | None, Teams()] = Field(
        None, description="team number of each seat, such as [0, 1, 0, 1]; none = each for itself"
    )
    characters: Annotated[str | tuple[str, ...], Characters()] = Field(
        "random", description="random, draft (seats choose in seat order), or a list of character ids by seat"
    )
    returns: Annotated[Literal["winner", "placement"], OneOf("winner", "placement")] = Field(
        "winner", description="winner = the winner takes all, placement = returns by place"
    )
    reward_scope: Annotated[Literal["duel", "any"], OneOf("duel", "any")] = Field(
        "duel", description="any = eliminations by items and abilities are rewarded too"
    )
    heal_cap: Annotated[Literal["tracker", "start"], OneOf("tracker", "start")] = Field(
        "tracker", description="start = nobody is healed above the HP of its character"
    )
    team_hands: Annotated[Literal["hidden", "shown"], OneOf("hidden", "shown")] = Field(
        "hidden", description="shown = teammates see each other's hands"
    )
    max_turns: Annotated[int, Whole(1, MAX_TURNS)] = Field(
        2 * TURNS_PER_SEAT,
        description=f"turns after which the game is cut off; if not given, {TURNS_PER_SEAT} for each seat",
    )
    obs_seats: Annotated[int, Whole(MIN_SEATS, MAX_SEATS)] = Field(
        2, description="seat blocks in the observation, so that one network fits all numbers of seats; default: seats"
    )

    @pydantic.model_validator(mode="before")
    @classmethod
    def _fill_in(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the defaults that depend on other options; what is wrong is left to the checks of the fields."""
        seats = values.get("seats")
        if "seats" not in values:
            lists = [values.get(name) for name in ("teams", "characters")]
            lengths = [len(given) for given in lists if isinstance(given, (list, tuple))]
            seats = next((length for length in lengths if MIN_SEATS <= length <= MAX_SEATS), 2)
        try:
            seats = Whole(MIN_SEATS, MAX_SEATS).check(seats)
        except ValueError:
            return values
        return {"seats": seats, "max_turns": TURNS_PER_SEAT * seats, "obs_seats": seats, **values}

    @pydantic.model_validator(mode="after")
    def _check_together(self) -> RequiemOptions:
        """What options ask of each other."""
        if self.teams is not None and len(self.teams) != self.seats:
            raise ValueError(f'option "teams" must list the teams of {self.seats} seats, not of {len(self.teams)}')
        if isinstance(self.characters, tuple) and len(self.characters) != self.seats:
            raise ValueError(
                f'option "characters" must name the characters of {self.seats} seats, not of {len(self.characters)}'
            )
        if self.obs_seats < self.seats:
            limits = f"a whole number from {self.seats} (the number of seats) to {MAX_SEATS}"
            raise ValueError(f'option "obs_seats" must be {limits}, not {self.obs_seats}')
        return self

    @pydantic.field_serializer("teams", "characters")
    def _as_list(self, value: Any) -> Any:
        """A list, as JSON and YAML give it back."""
        return list(value) if isinstance(value, tuple) else value

    @property
    def team_of(self) -> tuple[int, ...]:
        """The team of each seat; without teams every seat is one of its own."""
        return self.teams if self.teams is not None else tuple(range(self.seats))

    @property
    def num_teams(self) -> int:
        """The number of teams."""
        return max(self.team_of) + 1

    @property
    def team_size(self) -> int:
        """The number of seats of each team. Teams of one are no teams: they have no realm to themselves."""
        return self.seats // self.num_teams

    def check_cards(self, cards: CardSet) -> None:
        """Hold seats, teams and characters to what the card set has.

        Raises:
            OptionError: names the option, its value and what the set allows.
        """
        file = cast(RequiemCardFile, cards.file)
        if self.seats > len(file.characters):
            raise OptionError(
                f'{NAME}: option "seats" must be at most {len(file.characters)}, not {self.seats}, because the card '
                f"set {cards.source} has no more characters."
            )
        if isinstance(self.characters, tuple):
            self._check_given(self.characters, cards)
            return
        fitting = sum(size >= self.team_size for size in file.realm_sizes().values())
        if self.team_size > 1 and fitting < self.num_teams:
            raise OptionError(
                f'{NAME}: option "teams" needs {self.num_teams} realms with {self.team_size} or more characters, one '
                f"for each team, but the card set {cards.source} has {fitting}."
            )
        needed, held = file.cards_needed(self.seats), file.total_copies()
        if needed > held:
            raise OptionError(
                f'{NAME}: option "seats" must be smaller than {self.seats}, because the largest hands and the card '
                f"turned up take {needed} cards and the card set {cards.source} has {held}."
            )

    def _check_given(self, ids: tuple[str, ...], cards: CardSet) -> None:
        """Hold a list of characters to those that the card set has, to the teams, and to the number of cards."""
        file = cast(RequiemCardFile, cards.file)
        by_id = {character.id: character for character in file.characters}
        for character_id in ids:
            if character_id not in by_id:
                raise OptionError(
                    f'{NAME}: option "characters" names {shown(character_id)}, but the card set {cards.source} has no '
                    f"such character{suggestion(character_id, by_id)}."
                )
        given = [by_id[character_id] for character_id in ids]
        if self.team_size > 1:
            for number, one in enumerate(given):
                for other, team in zip(given[:number], self.team_of, strict=False):
                    together = team == self.team_of[number]
                    if together != (one.realm == other.realm):
                        rule = "one realm for each team" if together else "different realms for different teams"
                        both = f"{other.id} of {other.realm} and {one.id} of {one.realm}"
                        where = f"team {team}" if together else f"teams {team} and {self.team_of[number]}"
                        raise OptionError(f'{NAME}: option "characters" must hold {rule}, not {both} in {where}.')
        needed, held = sum(character.inventory for character in given) + 1, file.total_copies()
        if needed > held:
            raise OptionError(
                f'{NAME}: option "characters" must name characters with smaller hands, because these hands and the '
                f"card turned up take {needed} cards and the card set {cards.source} has {held}."
            )

    def rules_fields(self, cards: CardSet) -> dict[str, Any]:
        """The values of the rules record's fields that come from options, as `tables.rules_record` takes them."""
        file = cast(RequiemCardFile, cards.file)
        given = [0] * MAX_SEATS
        if isinstance(self.characters, tuple):
            numbers = {character.id: number for number, character in enumerate(file.characters)}
            given[: self.seats] = [numbers[character_id] for character_id in self.characters]
            deal = GIVEN
        else:
            deal = {"random": RANDOM, "draft": DRAFTED}[self.characters]
        return {
            "num_seats": self.seats,
            "num_teams": self.num_teams,
            "team_size": self.team_size,
            "obs_seats": self.obs_seats,
            "max_turns": self.max_turns,
            "deal": deal,
            "placement": int(self.returns == "placement"),
            "reward_any": int(self.reward_scope == "any"),
            "heal_start": int(self.heal_cap == "start"),
            "hands_shown": int(self.team_hands == "shown"),
            "team": [*self.team_of, *[-1] * (MAX_SEATS - self.seats)],
            "given": given,
        }

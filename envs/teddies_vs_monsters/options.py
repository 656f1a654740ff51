"""The options of Teddies vs Monsters: each with its default, its range and the sentence that explains it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from cardzoo.envs.core.fields import Checker, Flag, OneOf, Whole, alternatives, shown, suggestion
from cardzoo.envs.teddies_vs_monsters.card_file import LEVELS
from cardzoo.envs.teddies_vs_monsters.state import KINDS, MAX_SEATS, TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import PARTNER_SLEEVE

NAME: Final = "teddies_vs_monsters"
SEATS: Final = (TEAMS, MAX_SEATS)
ROOMS: Final = {2: 3, 4: 5}  # by seats
SUDDEN_ROOMS: Final = {2: 2, 4: 3}
SLEEVE: Final = {2: 4, 4: 3}
MAX_KEYS: Final = 3
MAX_ZONE: Final = 9  # hand and sleeve together fit into the smallest deck
MAX_TEMPO: Final = 500
MIN_PACE: Final = 10
MAX_PACE: Final = 1000
MAX_REACTION: Final = 100
MAX_JITTER: Final = 50
MIN_TICKS: Final = 100
MAX_TICKS: Final = 30_000
MAX_SUDDEN: Final = 9
MAX_ROUNDS: Final = 99

TEMPO: Final = {  # ticks of each kind of act
    "place": 10,
    "attack": 12,
    "bomb": 12,
    "trap": 10,
    "disarm": 8,
    "discard": 4,
    "claim": 20,
    "call": 14,
    "draw": 5,
    "take": 20,
    "look": 10,
    "wait": 4,
}
REACTING: Final = ("place", "attack", "bomb", "trap", "disarm", "claim", "call")  # acts that take the reaction, too


@dataclass(frozen=True)
class Seats(Checker):
    """The number of seats."""

    def check(self, value: Any) -> int:
        """Return the number if it is 2 or 4."""
        try:
            seats = Whole(SEATS[0], SEATS[-1]).check(value)
        except ValueError:
            seats = 0
        if seats not in SEATS:
            raise ValueError(f"must be {alternatives(SEATS)}, not {shown(value)}")
        return seats


@dataclass(frozen=True)
class Levels(Checker):
    """A list of one or more different levels; a number stands for a list of one."""

    def check(self, value: Any) -> tuple[int, ...]:
        """Return the levels, the lowest first."""
        listed = value if isinstance(value, (list, tuple)) else [value]
        try:
            levels = [Whole(LEVELS[0], LEVELS[-1]).check(level) for level in listed]
        except ValueError:
            levels = []
        if not levels or len(set(levels)) != len(levels):
            limits = f"from {LEVELS[0]} to {LEVELS[-1]}"
            raise ValueError(f"must be a list of one or more different levels {limits}, not {shown(value)}")
        return tuple(sorted(levels))


@dataclass(frozen=True)
class SleeveSize(Checker):
    """The cards of a sleeve, or `none` for the number that goes with the seats, which the model fills in."""

    def check(self, value: Any) -> int:
        """Return the number."""
        try:
            return Whole(0, MAX_ZONE).check(value)
        except ValueError:
            raise ValueError(f"must be none or a whole number from 0 to {MAX_ZONE}, not {shown(value)}") from None


@dataclass(frozen=True)
class Tempo(Checker):
    """A mapping from acts to ticks; acts that it leaves out have the defaults."""

    def check(self, value: Any) -> dict[str, int]:
        """Return the ticks of all acts, in their order."""
        if not isinstance(value, dict):
            raise ValueError(f"must be a mapping (act: ticks), not {shown(value)}")
        tempo = dict(TEMPO)
        for act, ticks in value.items():
            if act not in TEMPO:
                raise ValueError(
                    f"has an unknown act {shown(act)}; allowed are {alternatives(TEMPO, 'and')}{suggestion(act, TEMPO)}"
                )
            try:
                tempo[act] = Whole(1, MAX_TEMPO).check(ticks)
            except ValueError as problem:
                raise ValueError(f"has a wrong value: {act} {problem}") from None
        return tempo


@dataclass(frozen=True)
class PerSeat(Checker):
    """A whole number, or a list with one for each seat; the model makes a list of a single number."""

    low: int
    high: int

    def check(self, value: Any) -> tuple[int, ...]:
        """Return the numbers by seat."""
        listed = value if isinstance(value, (list, tuple)) else [value]
        try:
            return tuple(Whole(self.low, self.high).check(number) for number in listed)
        except ValueError:
            limits = f"a whole number from {self.low} to {self.high}, or a list with one for each seat"
            raise ValueError(f"must be {limits}, not {shown(value)}") from None


PER_SEAT: Final = {  # with the default of every seat
    "pace": (PerSeat(MIN_PACE, MAX_PACE), 100),
    "reaction": (PerSeat(0, MAX_REACTION), 4),
    "jitter": (PerSeat(0, MAX_JITTER), 4),
}


class TeddiesOptions(BaseModel):
    """All options; defaults that depend on others have been filled in, so the same model comes from its own values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: Annotated[int, Seats()] = Field(2, description="number of seats, 2 or 4, of two teams by turns")
    levels: Annotated[tuple[int, ...], Levels()] = Field(
        (2,), description="levels of the bedrooms that are played, a list of 1, 2 and 3"
    )
    keys_to_win: Annotated[int, Whole(1, MAX_KEYS)] = Field(3, description="keys with which a team wins the game")
    hand_size: Annotated[int, Whole(1, MAX_ZONE)] = Field(5, description="cards of a hand")
    sleeve_size: Annotated[int, SleeveSize()] = Field(
        SLEEVE[2], description=f"cards of a sleeve; none = {SLEEVE[2]} with two seats, {SLEEVE[4]} with four"
    )
    start_hand: Annotated[Literal["seen", "face_down"], OneOf("seen", "face_down")] = Field(
        "seen", description="face_down = a seat neither sees nor uses its hand until its act `look` lands"
    )
    allow_mistakes: Annotated[bool, Flag()] = Field(
        False, description="cards that do not fit may be placed and mistakes may be called; sets play_out"
    )
    call_by: Annotated[Literal["any", "owner"], OneOf("any", "owner")] = Field(
        "any", description="owner = a team calls only its own mistakes"
    )
    review: Annotated[Literal["sudden_death", "discount"], OneOf("sudden_death", "discount")] = Field(
        "sudden_death",
        description="what a wrong room does: sudden_death = the round is a tie, discount = the room counts for nobody",
    )
    late_cards: Annotated[Literal["lost", "returned"], OneOf("lost", "returned")] = Field(
        "lost", description="returned = a card that lands too late stays where it was, unless the room was claimed"
    )
    trap_blocks_claim: Annotated[bool, Flag()] = Field(
        False, description="a room whose own side has a trap cannot be claimed"
    )
    partner_sleeve: Annotated[Literal["never", "when_out", "always"], OneOf(*PARTNER_SLEEVE)] = Field(
        "when_out",
        description="when a seat may play cards of its partner's sleeve; when_out = when it has no cards left",
    )
    open_team: Annotated[bool, Flag()] = Field(False, description="partners see each other's hand and pending act")
    stall_result: Annotated[Literal["tie", "most_rooms"], OneOf("tie", "most_rooms")] = Field(
        "tie",
        description="how an ordinary round ends when nobody can do anything or round_ticks are over; most_rooms = the "
        "team with more right rooms takes the key",
    )
    sudden_death_win: Annotated[Literal["claim", "completion"], OneOf("claim", "completion")] = Field(
        "claim", description="what wins a sudden death: the first claim, or completion = the first complete row"
    )
    play_out: Annotated[bool, Flag()] = Field(
        False, description="a round goes on until every room is claimed, not only until one team has more than half"
    )
    tempo: Annotated[dict[str, int], Tempo()] = Field(
        TEMPO, description="ticks that each act takes; acts that are not named keep their defaults"
    )
    pace: Annotated[tuple[int, ...], PER_SEAT["pace"][0]] = Field(
        (PER_SEAT["pace"][1],) * 2,
        description="per cent of the tempo that acts take, one number or one for each seat; 200 = half as fast",
    )
    reaction: Annotated[tuple[int, ...], PER_SEAT["reaction"][0]] = Field(
        (PER_SEAT["reaction"][1],) * 2,
        description=f"ticks added to {alternatives(REACTING, 'and')}, one number or one for each seat",
    )
    jitter: Annotated[tuple[int, ...], PER_SEAT["jitter"][0]] = Field(
        (PER_SEAT["jitter"][1],) * 2,
        description="up to so many random ticks are added to every act but wait, one number or one for each seat",
    )
    round_ticks: Annotated[int, Whole(MIN_TICKS, MAX_TICKS)] = Field(
        3000, description="ticks after which a round or sudden death is stopped"
    )
    max_sudden: Annotated[int, Whole(0, MAX_SUDDEN)] = Field(
        2, description="most sudden deaths in a round; after the last nobody takes the key"
    )
    max_rounds: Annotated[int, Whole(1, MAX_ROUNDS)] = Field(9, description="rounds after which the game is cut off")

    @pydantic.model_validator(mode="before")
    @classmethod
    def _fill_in(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in what depends on other options; what is wrong is left to the checks of the fields."""
        try:
            seats = Seats().check(values.get("seats", SEATS[0]))
        except ValueError:
            return values
        filled = dict(values)
        sleeve = values.get("sleeve_size")
        if sleeve is None or (isinstance(sleeve, str) and sleeve == "none"):  # what a command line can write
            filled["sleeve_size"] = SLEEVE[seats]
        if values.get("allow_mistakes") is True:
            filled.setdefault("play_out", True)
        for name, (checker, default) in PER_SEAT.items():
            number = values.get(name, default)
            if isinstance(number, (list, tuple)):
                continue
            with contextlib.suppress(ValueError):
                filled[name] = checker.check(number) * seats
        return filled

    @pydantic.model_validator(mode="after")
    def _check_together(self) -> TeddiesOptions:
        """What options ask of each other."""
        for name in PER_SEAT:
            numbers = getattr(self, name)
            if len(numbers) != self.seats:
                raise ValueError(
                    f'option "{name}" must list {self.seats} numbers, one for each seat, not {len(numbers)}'
                )
        if self.allow_mistakes and not self.play_out:
            raise ValueError('option "play_out" must be true when "allow_mistakes" is true')
        return self

    @pydantic.field_serializer("levels", *PER_SEAT)
    def _as_list(self, value: tuple[int, ...]) -> list[int]:
        """A list, as JSON and YAML give it back."""
        return list(value)

    def rules_fields(self) -> dict[str, Any]:
        """The values of the rules record's fields that come from options, as `tables.rules_record` takes them."""
        absent = [0] * (MAX_SEATS - self.seats)
        durations = [[self._duration(seat, kind) if kind else 0 for kind in KINDS] for seat in range(self.seats)]
        return {
            "num_seats": self.seats,
            "num_rooms": ROOMS[self.seats],
            "sudden_rooms": SUDDEN_ROOMS[self.seats],
            "keys_to_win": self.keys_to_win,
            "hand_size": self.hand_size,
            "sleeve_size": self.sleeve_size,
            "face_down": int(self.start_hand == "face_down"),
            "mistakes": int(self.allow_mistakes),
            "call_any": int(self.call_by == "any"),
            "discount": int(self.review == "discount"),
            "returned": int(self.late_cards == "returned"),
            "trap_blocks_claim": int(self.trap_blocks_claim),
            "partner_sleeve": PARTNER_SLEEVE.index(self.partner_sleeve),
            "open_team": int(self.open_team),
            "stall_rooms": int(self.stall_result == "most_rooms"),
            "completion": int(self.sudden_death_win == "completion"),
            "play_out": int(self.play_out),
            "max_sudden": self.max_sudden,
            "max_rounds": self.max_rounds,
            "round_ticks": self.round_ticks,
            "duration": [*durations, *([0] * len(KINDS) for _ in absent)],
            "pace": [*self.pace, *absent],
            "reaction": [*self.reaction, *absent],
            "jitter": [*self.jitter, *absent],
        }

    def _duration(self, seat: int, act: str) -> int:
        """Ticks from an act's commit to its landing, without jitter."""
        scaled = max(1, (self.tempo[act] * self.pace[seat] + 50) // 100)
        return scaled + (self.reaction[seat] if act in REACTING else 0)

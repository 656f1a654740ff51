"""The card file of Teddies vs Monsters: what may stand in it, its limits, and reading it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, cast

import numpy as np
import pydantic
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.core.cards import Card, CardFile, CardSet, load_cards
from cardzoo.envs.core.fields import DisplayName, Flag, Identifier, OneOf, Whole, alternatives, shown, suggestion
from cardzoo.envs.teddies_vs_monsters.cards import (
    ANY,
    ANY_COLOUR,
    BLAST,
    CARD_KINDS,
    COLOUR,
    COLOURS,
    COPIES,
    FILL_A,
    FILL_B,
    PAY,
    SNARE,
    STRIKE,
    SYMBOLS,
    UNLOCK,
    card_row,
)
from cardzoo.envs.teddies_vs_monsters.state import MAX_DECK, MAX_LENGTH, MAX_TRAPS, MAX_TYPES, TEAM_NAMES, TRAP_PRICE
from cardzoo.envs.teddies_vs_monsters.tables import MAX_BEDROOMS
from cardzoo.envs.teddies_vs_monsters.words import MOST_FILLS, Colour, Effect, EffectList, SymbolList, TeamSymbols

CARDS_YAML: Final = Path(__file__).with_name("cards.yaml")

DECKS: Final = 2  # of each team: one for each of its seats, or a deck and its reserve
MIN_DECK: Final = 20
MAX_COPIES: Final = 63  # a seat may use up two decks, and the record counts its used cards of a type in an int8
MIN_LENGTH: Final = 2
LEVELS: Final = (1, 2, 3)
MIN_OF_LEVEL: Final = 8  # a round of five rooms and a sudden death of three others

# What `strict_counts` demands.
PLAIN_COPIES: Final = 6
BOMBS: Final = 2
OF_LEVEL: Final = {1: 8, 2: 8, 3: 16}

SYMBOLS_OF_KIND: Final = {"symbol": 1, "character": MOST_FILLS, "bomb": 0, "trap": 0}
COLOURED: Final = ("character", "trap")


class TeddiesCard(Card):
    """One card type of a team."""

    team: Annotated[Literal["teddies", "monsters"], OneOf(*TEAM_NAMES)]
    kind: Annotated[Literal["symbol", "character", "bomb", "trap"], OneOf(*CARD_KINDS)]
    copies: Annotated[int, Whole(1, MAX_COPIES)] = 1
    colour: Annotated[str | None, Colour(optional=True)] = None
    symbols: Annotated[tuple[str, ...], SymbolList(0, MOST_FILLS)] = ()
    effects: Annotated[tuple[Effect, ...] | None, EffectList()] = None

    @pydantic.model_validator(mode="after")
    def _check_kind(self) -> TeddiesCard:
        """Hold the card to what its kind needs, or to what its own effects say."""
        if self.effects is not None:
            filled = next((effect.symbols for effect in self.effects if effect.verb == "fill"), ())
            if self.symbols and self.symbols != filled:
                allowed = (
                    f"those of its fill, {_listed(filled)}," if filled else "left out, as its effects do not fill,"
                )
                raise ValueError(f'field "symbols" must be {allowed} not {_listed(self.symbols)}')
            return self
        called = "symbol card" if self.kind == "symbol" else self.kind
        count = SYMBOLS_OF_KIND[self.kind]
        if self.symbols and not count:
            raise ValueError(f'field "symbols" is not allowed on a {called}, because it is not placed in a row')
        if count and not self.symbols:
            raise ValueError(f'field "symbols" is missing, and a {called} needs it')
        if len(self.symbols) != count:
            counted = "1 symbol" if count == 1 else f"{count} symbols"
            raise ValueError(f'field "symbols" must have {counted} on a {called}, not {len(self.symbols)}')
        if self.colour is None and self.kind in COLOURED:
            raise ValueError(f'field "colour" is missing, and a {called} needs it')
        if self.colour is not None and self.kind == "bomb":
            raise ValueError('field "colour" is not allowed on a bomb, because it is not placed in a row')
        return self

    @property
    def card_effects(self) -> tuple[Effect, ...]:
        """What the card does: its own effects, or those of its kind."""
        if self.effects is not None:
            return self.effects
        if self.kind == "symbol":
            return Effect("fill", self.symbols), Effect("pay", number=1)
        if self.kind == "character":
            strike, unlock = (Effect(verb, colour=self.colour) for verb in ("strike", "unlock"))
            return Effect("fill", self.symbols), strike, Effect("pay", number=2), unlock
        if self.kind == "bomb":
            return (Effect("blast"),)
        return Effect("snare", colour=self.colour), Effect("unlock", colour=ANY)

    def effect(self, verb: str) -> Effect | None:
        """Its effect with a verb, if it has one."""
        return next((effect for effect in self.card_effects if effect.verb == verb), None)


class Team(BaseModel):
    """What a team has beside its cards."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    symbols: Annotated[tuple[str, ...], TeamSymbols()]


class Teams(BaseModel):
    """Both teams."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    teddies: Team
    monsters: Team

    @pydantic.model_validator(mode="after")
    def _check_symbols(self) -> Teams:
        """Refuse a symbol of both teams: a text could not tell whose it is."""
        for name in self.teddies.symbols:
            if name in self.monsters.symbols:
                raise ValueError(f"must have different symbols for each team, but {shown(name)} is there for both")
        return self


class Bedroom(BaseModel):
    """One bedroom card."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Identifier()]
    name: Annotated[str, DisplayName()]
    level: Annotated[int, Whole(LEVELS[0], LEVELS[-1])]
    teddies: Annotated[tuple[str, ...], SymbolList(MIN_LENGTH, MAX_LENGTH)]
    monsters: Annotated[tuple[str, ...], SymbolList(MIN_LENGTH, MAX_LENGTH)]

    @pydantic.model_validator(mode="after")
    def _check_lengths(self) -> Bedroom:
        """Both teams have equally much to do in a room."""
        if len(self.teddies) != len(self.monsters):
            lengths = f"{len(self.teddies)} for the teddies and {len(self.monsters)} for the monsters"
            raise ValueError(f"must have equally many symbols for both teams, not {lengths}")
        return self

    def sequence_of(self, team: str) -> tuple[str, ...]:
        """The symbols that a team has to lay here, from the left."""
        return self.teddies if team == TEAM_NAMES[0] else self.monsters


class TeddiesCardFile(CardFile):
    """A whole card file of this game."""

    teams: Teams
    types: tuple[TeddiesCard, ...]
    bedrooms: tuple[Bedroom, ...]
    strict_counts: Annotated[bool, Flag()] = True

    @pydantic.model_validator(mode="after")
    def _check_symbols(self) -> TeddiesCardFile:
        """Hold cards and bedrooms to the symbols that their team has."""
        for number, card in enumerate(self.types):
            where = f"card {shown(card.id)} (types[{number}])"
            self._check_names(card.team, card.symbols, f'{where}: field "symbols" must have')
            for effect in card.effects or ():
                self._check_names(card.team, effect.symbols, f'{where}: field "effects": "{effect}" must have')
        for number, bedroom in enumerate(self.bedrooms):
            for team in TEAM_NAMES:
                where = f'bedroom {shown(bedroom.id)} (bedrooms[{number}]): field "{team}"'
                self._check_names(team, bedroom.sequence_of(team), f"{where} must have")
        return self

    def _check_names(self, team: str, names: Sequence[str], where: str) -> None:
        """Hold names of symbols to those of a team; `where` is the beginning of the sentence."""
        allowed = (*self.symbols_of(team), ANY)
        for name in names:
            if name not in allowed:
                words = f"symbols of the {team} ({alternatives(allowed)})"
                raise ValueError(f"{where} {words}, not {shown(name)}{suggestion(name, allowed)}")

    @pydantic.model_validator(mode="after")
    def _check_decks(self) -> TeddiesCardFile:
        """Hold each team's cards to the sizes that the state record has room for."""
        for team in TEAM_NAMES:
            cards = [card for card in self.types if card.team == team]
            if len(cards) > MAX_TYPES:
                raise ValueError(f'field "types" must list at most {MAX_TYPES} cards of the {team}, not {len(cards)}')
            copies = sum(card.copies for card in cards)
            if not MIN_DECK <= copies <= MAX_DECK:
                limits = f"from {MIN_DECK} to {MAX_DECK}"
                raise ValueError(
                    f"the copies of all cards of the {team} must add up to a number {limits}, not {copies}"
                )
            snares = DECKS * sum(card.copies for card in cards if card.effect("snare"))
            if snares > MAX_TRAPS:
                raise ValueError(
                    f"the {team} must have at most {MAX_TRAPS} cards with snare in their {DECKS} decks, not {snares}"
                )
        return self

    @pydantic.model_validator(mode="after")
    def _check_bedrooms(self) -> TeddiesCardFile:
        """Hold the bedrooms to different ids and names, and to the numbers that a game needs."""
        if len(self.bedrooms) > MAX_BEDROOMS:
            raise ValueError(f'field "bedrooms" must list at most {MAX_BEDROOMS} bedrooms, not {len(self.bedrooms)}')
        places: dict[str, int] = {}
        names: dict[str, str] = {}
        for index, bedroom in enumerate(self.bedrooms):
            if bedroom.id in places:
                both = f"bedrooms[{places[bedroom.id]}] and bedrooms[{index}]"
                raise ValueError(f"bedroom id {shown(bedroom.id)} is used twice ({both})")
            if bedroom.name in names:
                taken = f"name {shown(bedroom.name)} is taken by {shown(names[bedroom.name])}"
                raise ValueError(f"bedroom {shown(bedroom.id)}: {taken}")
            places[bedroom.id] = index
            names[bedroom.name] = bedroom.id
        levels = Counter(bedroom.level for bedroom in self.bedrooms)
        for level in LEVELS:
            if levels[level] < MIN_OF_LEVEL:
                limits = f"at least {MIN_OF_LEVEL} bedrooms of level {level}"
                raise ValueError(f'field "bedrooms" must list {limits}, not {levels[level]}')
        return self

    @pydantic.model_validator(mode="after")
    def _check_strict_counts(self) -> TeddiesCardFile:
        """Hold the set to the printed numbers, unless it says that it has others."""
        for what, count, demanded in self._strict_counts() if self.strict_counts else ():
            if count != demanded:
                raise ValueError(f"{what} must be {demanded}, not {count} (strict_counts: false allows other numbers)")
        return self

    def _strict_counts(self) -> Iterator[tuple[str, int, int]]:
        """What is counted, its number in this set, and the printed number."""
        for team in TEAM_NAMES:
            cards = [card for card in self.types if card.team == team]
            for symbol in self.symbols_of(team):
                plain = Effect("fill", (symbol,))
                copies = sum(card.copies for card in cards if card.kind == "symbol" and card.effect("fill") == plain)
                yield f"the copies of the plain symbol {symbol}", copies, PLAIN_COPIES
            yield f"the copies of the bombs of the {team}", sum(c.copies for c in cards if c.kind == "bomb"), BOMBS
        for level, demanded in OF_LEVEL.items():
            yield f"the bedrooms of level {level}", sum(room.level == level for room in self.bedrooms), demanded

    def symbols_of(self, team: str) -> tuple[str, ...]:
        """The four symbols of a team."""
        return cast(Team, getattr(self.teams, team)).symbols

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """What a learner may be shown of each type of both teams: float32 (T, F), 0..1 for ordinary cards.

        A bit for the monsters, kind bits, copies / 6, bits of the colour by which it is attacked, of the first and the
        second symbol (the team's four and `any`), of the colours that it attacks, a bit for a bomb, bits of the colours
        that it traps and that it removes, and what it pays / 3. The colour `any` sets all five bits.
        """
        slots = [*(f"{number}" for number in range(1, SYMBOLS + 1)), ANY]
        names = ["monsters", *(f"kind_{kind}" for kind in CARD_KINDS), "copies"]
        names += [*(f"colour_{colour}" for colour in COLOURS), *(f"first_{slot}" for slot in slots)]
        names += [*(f"second_{slot}" for slot in slots), *(f"strike_{colour}" for colour in COLOURS), "blast"]
        names += [*(f"snare_{colour}" for colour in COLOURS), *(f"unlock_{colour}" for colour in COLOURS), "pay"]
        rows = []
        for card in self.types:
            row = card_row(card, self.symbols_of(card.team))
            rows.append(
                [
                    float(card.team == TEAM_NAMES[1]),
                    *(float(card.kind == kind) for kind in CARD_KINDS),
                    row[COPIES] / PLAIN_COPIES,
                    *_colour_bits(row[COLOUR]),
                    *(float(row[FILL_A] == 1 + slot) for slot in range(len(slots))),
                    *(float(row[FILL_B] == 1 + slot) for slot in range(len(slots))),
                    *_colour_bits(row[STRIKE]),
                    float(row[BLAST]),
                    *_colour_bits(row[SNARE]),
                    *_colour_bits(row[UNLOCK]),
                    row[PAY] / TRAP_PRICE,
                ]
            )
        return tuple(names), np.clip(np.array(rows, np.float32), 0.0, 2.0)


def _colour_bits(code: int) -> list[float]:
    """A bit for each colour that the code of a colour matches."""
    return [float(code in (1 + number, ANY_COLOUR)) for number in range(len(COLOURS))]


def _listed(names: Sequence[str]) -> str:
    """Names as a list in YAML."""
    return f"[{', '.join(names)}]"


def load(path: str | Path | None = None) -> CardSet:
    """The reference card set, or the one in the user's file; CardError says what is wrong with it."""
    return load_cards(TeddiesCardFile, path, built_in=CARDS_YAML)

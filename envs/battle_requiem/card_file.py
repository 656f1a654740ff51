"""The card file of Battle Requiem: what may stand in it, its limits, and reading it."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import pydantic
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.battle_requiem.cards import ARMAMENT_BITS, KINDS, MODIFIERS, VERBS
from cardzoo.envs.battle_requiem.state import MAX_CARDS, MAX_CHARACTERS, MAX_HP, MAX_SEATS, MAX_TYPES
from cardzoo.envs.battle_requiem.steps import Step, StepList
from cardzoo.envs.core.cards import Card, CardFile, CardSet, load_cards
from cardzoo.envs.core.fields import Checker, DisplayName, Identifier, OneOf, Whole, alternatives, shown, suggestion

CARDS_YAML: Final = Path(__file__).with_name("cards.yaml")

PRINTED_CARDS: Final = 65
PRINTED_CHARACTERS: Final = 18
MIN_CHARACTERS: Final = 2
MAX_REALMS: Final = MAX_SEATS
MAX_BRN: Final = 99
MAX_START: Final = 8  # Inventory on a character; rewards may raise it to MAX_INVENTORY
MAX_AGE: Final = 9999
MAX_MODIFIER: Final = 20

RATED: Final = ("melee", "missile", "spell", "armor")  # kinds that have a BRN
ARMAMENTS: Final = tuple(kind for number, kind in enumerate(KINDS) if ARMAMENT_BITS >> number & 1)


@dataclass(frozen=True)
class Modifiers(Checker):
    """A mapping from keys of `MODIFIERS` to numbers; zeros are left out, because they say nothing."""

    def check(self, value: Any) -> dict[str, int]:
        """Return the modifiers in table order."""
        if not isinstance(value, dict):
            raise ValueError(f"must be a mapping (key: value), not {shown(value)}")
        for key in value:
            if key not in MODIFIERS:
                raise ValueError(
                    f"has an unknown key {shown(key)}; allowed are {alternatives(MODIFIERS, 'and')}"
                    f"{suggestion(key, MODIFIERS)}"
                )
        number = Whole(-MAX_MODIFIER, MAX_MODIFIER)
        checked = {}
        for key in MODIFIERS:
            if key not in value:
                continue
            try:
                checked[key] = number.check(value[key])
            except ValueError as problem:
                raise ValueError(f"has a wrong value: {key} {problem}") from None
        return {key: change for key, change in checked.items() if change}


class RequiemCard(Card):
    """One battle card type."""

    kind: Annotated[Literal["melee", "missile", "spell", "armor", "shield", "item", "relic"], OneOf(*KINDS)]
    copies: Annotated[int, Whole(1, MAX_CARDS)]
    brn: Annotated[int | None, Whole(0, MAX_BRN)] = None
    effect: Annotated[tuple[Step, ...], StepList()] = ()

    @pydantic.model_validator(mode="after")
    def _check_kind(self) -> RequiemCard:
        """Hold each kind to the fields it has."""
        article = "an" if self.kind[0] in "aeiou" else "a"
        called = f"{self.kind} card" if self.kind in ("melee", "missile", "spell", "armor") else self.kind
        for name, needed in (("brn", self.kind in RATED), ("effect", self.kind == "item")):
            given = name in self.model_fields_set
            if needed and not given:
                raise ValueError(f'field "{name}" is missing, and {article} {called} needs it')
            if given and not needed:
                reason = ", because it uses the ability of its user" if (name, self.kind) == ("effect", "relic") else ""
                raise ValueError(f'field "{name}" is not allowed on {article} {called}{reason}')
        return self


class RequiemAbility(BaseModel):
    """The Special Ability of a character."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, DisplayName()]
    effect: Annotated[tuple[Step, ...], StepList()]


class RequiemCharacter(BaseModel):
    """One character."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Identifier()]
    name: Annotated[str, DisplayName()]
    realm: Annotated[str, Identifier()]
    age: Annotated[int, Whole(0, MAX_AGE)]
    hp: Annotated[int, Whole(1, MAX_HP)]
    inventory: Annotated[int, Whole(1, MAX_START)]
    modifiers: Annotated[dict[str, int], Modifiers()] = {}
    ability: RequiemAbility


class RequiemCardFile(CardFile):
    """A whole card file of this game."""

    tracker_max: Annotated[int, Whole(1, MAX_HP)]
    types: tuple[RequiemCard, ...]
    characters: tuple[RequiemCharacter, ...]

    @pydantic.model_validator(mode="after")
    def _check_characters(self) -> RequiemCardFile:
        """Hold the characters to their number, to different ids and names, to the realms and to the tracker."""
        if not MIN_CHARACTERS <= len(self.characters) <= MAX_CHARACTERS:
            limits = f"{MIN_CHARACTERS} to {MAX_CHARACTERS}"
            raise ValueError(f'field "characters" must list {limits} characters, not {len(self.characters)}')
        places: dict[str, int] = {}
        names: dict[str, str] = {}
        for index, character in enumerate(self.characters):
            label = f"character {shown(character.id)}"
            if character.id in places:
                both = f"characters[{places[character.id]}] and characters[{index}]"
                raise ValueError(f"character id {shown(character.id)} is used twice ({both})")
            if character.name in names:
                taken = f"name {shown(character.name)} is taken by {shown(names[character.name])}"
                raise ValueError(f"{label}: {taken}")
            if character.hp > self.tracker_max:
                limits = f"a whole number from 1 to {self.tracker_max} (tracker_max)"
                raise ValueError(f'{label}: field "hp" must be {limits}, not {character.hp}')
            places[character.id] = index
            names[character.name] = character.id
        realms = self.realm_sizes()
        if len(realms) > MAX_REALMS:
            raise ValueError(f"the characters must be of at most {MAX_REALMS} realms, not {len(realms)}")
        return self

    @pydantic.model_validator(mode="after")
    def _check_cards(self) -> RequiemCardFile:
        """Hold the cards to the sizes that the state record has room for, and to what a game of two seats needs."""
        if not 1 <= len(self.types) <= MAX_TYPES:
            raise ValueError(f'field "types" must list 1 to {MAX_TYPES} card types, not {len(self.types)}')
        copies = self.total_copies()
        if copies > MAX_CARDS:
            raise ValueError(f"the copies of all cards must add up to at most {MAX_CARDS}, not {copies}")
        if not any(card.kind in ARMAMENTS for card in self.types):
            raise ValueError(f'field "types" must list at least one armament ({alternatives(ARMAMENTS)})')
        needed = self.cards_needed(MIN_CHARACTERS)
        if copies < needed:
            raise ValueError(
                f"the copies of all cards must add up to at least {needed}, the two largest hands and the card turned "
                f"up, not {copies}"
            )
        return self

    @pydantic.model_validator(mode="after")
    def _compare_with_print(self) -> RequiemCardFile:
        """Warn of a set of another size than the printed one; it is playable, but results do not compare."""
        copies = self.total_copies()
        if (copies, len(self.characters)) != (PRINTED_CARDS, PRINTED_CHARACTERS):
            warnings.warn(
                f"battle_requiem: the card set has {copies} cards and {len(self.characters)} characters; the printed "
                f"game has {PRINTED_CARDS} and {PRINTED_CHARACTERS}.",
                stacklevel=2,
            )
        return self

    def total_copies(self) -> int:
        """Cards in the deck."""
        return sum(card.copies for card in self.types)

    def realm_sizes(self) -> Counter[str]:
        """Number of characters of each realm, in the order of the file."""
        return Counter(character.realm for character in self.characters)

    def cards_needed(self, seats: int) -> int:
        """Cards that the largest hands of so many characters and the card turned up take."""
        return sum(sorted(character.inventory for character in self.characters)[-seats:]) + 1

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """What a learner may be shown of each type: float32 (T, F), scaled to -1..1 for ordinary cards.

        Kind bits, copies / 4, BRN / 10, and for each verb the strength that it has on the card: its number / 5 (1
        where it takes none), the steps of a branch counting half. A relic's effect depends on who uses it.
        """
        names = [*(f"kind_{kind}" for kind in KINDS), "copies", "brn", *VERBS]
        matrix = np.zeros((len(self.types), len(names)), dtype=np.float32)
        for row, card in zip(matrix, self.types, strict=True):
            row[names.index(f"kind_{card.kind}")] = 1.0
            row[names.index("copies")] = card.copies / 4
            row[names.index("brn")] = (card.brn or 0) / 10
            for step in card.effect:
                row[names.index(step.verb)] += (step.n / 5 if step.n else 1.0) * (0.5 if step.branch else 1.0)
        return tuple(names), np.clip(matrix, -2.0, 2.0)


def load(path: str | Path | None = None) -> CardSet:
    """The reference card set, or the one in the user's file; CardError says what is wrong with it."""
    return load_cards(RequiemCardFile, path, built_in=CARDS_YAML)

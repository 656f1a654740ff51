"""The card file of Bloodsport Gambler: what may stand in it, its limits, and reading it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import pydantic
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.cards import KINDS, SCOPES, VERBS, WEAPON_TYPES
from cardzoo.envs.bloodsport_gambler.state import MAX_ACTIONS, MAX_FIGHTERS, MAX_SECRETS, MAX_WEAPONS
from cardzoo.envs.bloodsport_gambler.words import ACTION_WHOS, FORMS, SECRET, Effect, EffectList, check_fit
from cardzoo.envs.core.cards import Card, CardFile, CardSet, load_cards
from cardzoo.envs.core.fields import Checker, OneOf, Whole, shown

CARDS_YAML: Final = Path(__file__).with_name("cards.yaml")

MAX_RISK: Final = 6
MAX_RANK: Final = 3
MAX_STAT: Final = 9
MAX_LIFE: Final = 9
MAX_DAMAGE: Final = 9


@dataclass(frozen=True)
class Risk(Checker):
    """The risk of an action card: `none`, or a number."""

    def check(self, value: Any) -> int | None:
        """Return the number, or None."""
        if value is None or (isinstance(value, str) and value == "none"):
            return None
        try:
            return Whole(0, MAX_RISK).check(value)
        except ValueError:
            raise ValueError(f"must be none or a whole number from 0 to {MAX_RISK}, not {shown(value)}") from None


class GamblerAction(Card):
    """One type of action card."""

    copies: Annotated[int, Whole(1, MAX_ACTIONS)] = 1
    kind: Annotated[Literal["discover", "sabotage", "react", "special"], OneOf(*KINDS)]
    risk: Annotated[int | None, Risk()]
    effects: Annotated[tuple[Effect, ...], EffectList()]

    @pydantic.field_validator("effects")
    @classmethod
    def _check_kind(cls, effects: tuple[Effect, ...], info: pydantic.ValidationInfo) -> tuple[Effect, ...]:
        """Hold the effects to the kind of the card, if that is valid."""
        if "kind" in info.data:
            for effect in effects:
                check_fit(effect, info.data["kind"])
        return effects


class GamblerFighter(Card):
    """One type of fighter."""

    copies: Annotated[int, Whole(1, MAX_FIGHTERS)] = 1
    rank: Annotated[int, Whole(1, MAX_RANK)]
    str: Annotated[int, Whole(-MAX_STAT, MAX_STAT)]
    dex: Annotated[int, Whole(-MAX_STAT, MAX_STAT)]
    life: Annotated[int, Whole(1, MAX_LIFE)]


class GamblerWeapon(Card):
    """One type of weapon."""

    copies: Annotated[int, Whole(1, MAX_WEAPONS)] = 1
    type: Annotated[Literal["STR", "DEX", "BEST", "WORST"], OneOf(*WEAPON_TYPES)]
    damage: Annotated[int, Whole(0, MAX_DAMAGE)]


class GamblerSecret(Card):
    """One type of secret."""

    copies: Annotated[int, Whole(1, MAX_SECRETS)] = 1
    effects: Annotated[tuple[Effect, ...], EffectList(SECRET)]


class GamblerCardFile(CardFile):
    """A whole card file of this game."""

    types: tuple[GamblerAction, ...]
    fighters: tuple[GamblerFighter, ...]
    weapons: tuple[GamblerWeapon, ...]
    secrets: tuple[GamblerSecret, ...]

    @pydantic.model_validator(mode="after")
    def _check_lists(self) -> GamblerCardFile:
        """Hold each list to different ids and names, and to the number of its cards (so also of its types)."""
        _check_unique("fighter", self.fighters)
        _check_unique("weapon", self.weapons)
        _check_unique("secret", self.secrets)
        _check_number("action cards", self.types, MAX_ACTIONS)
        _check_number("fighters", self.fighters, MAX_FIGHTERS)
        _check_number("weapons", self.weapons, MAX_WEAPONS)
        _check_number("secrets", self.secrets, MAX_SECRETS)
        return self

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """What a learner may be shown of each action type: float32 (T, F), scaled to -1..1 for ordinary cards.

        Kind bits, copies / 4, a bit for no risk, risk / 6, bits of what a look shows and of whom effects concern, and
        for each verb the strength that it has on the card: its number / 3 (1 where it takes none); STR and DEX of
        `stat` apart.
        """
        scopes, verbs = SCOPES[1:], [verb for verb in VERBS if verb != "stat"]
        names = [*(f"kind_{kind}" for kind in KINDS), "copies", "no_risk", "risk", *(f"look_{word}" for word in scopes)]
        names += [*(f"who_{word}" for word in ACTION_WHOS), *verbs, "stat_str", "stat_dex"]
        column = {name: number for number, name in enumerate(names)}
        matrix = np.zeros((len(self.types), len(names)), dtype=np.float32)
        for row, card in zip(matrix, self.types, strict=True):
            row[column[f"kind_{card.kind}"]] = 1.0
            row[column["copies"]] = card.copies / 4
            row[column["no_risk"]] = card.risk is None
            row[column["risk"]] = (card.risk or 0) / MAX_RISK
            for effect in card.effects:
                for name, strength in _strengths(effect).items():
                    row[column[name]] += strength
        return tuple(names), np.clip(matrix, -2.0, 2.0)


def _strengths(effect: Effect) -> dict[str, float]:
    """The features that an effect adds to, each with the amount."""
    if effect.verb == "look":
        return {f"look_{effect.scope}": 1.0, "look": (effect.a or 3) / 3}
    amounts = {f"who_{effect.who}": 1.0} if effect.who else {}
    if effect.verb == "stat":
        return {**amounts, "stat_str": effect.a / 3, "stat_dex": effect.b / 3}
    if effect.verb == "weapon_type":
        return {**amounts, "weapon_type": (effect.a + 1) / len(WEAPON_TYPES)}
    if effect.verb == "dice":
        return {**amounts, "dice": float(effect.a)}
    numbered = any(part.field == "a" for part in FORMS[effect.verb].parts)
    return {**amounts, effect.verb: effect.a / 3 if numbered else 1.0}


def _check_unique(called: str, cards: Sequence[Card]) -> None:
    """Refuse two cards of a list with one id, or with one name."""
    places: dict[str, int] = {}
    names: dict[str, str] = {}
    for index, card in enumerate(cards):
        if card.id in places:
            both = f"{called}s[{places[card.id]}] and {called}s[{index}]"
            raise ValueError(f"{called} id {shown(card.id)} is used twice ({both})")
        if card.name in names:
            taken = f"name {shown(card.name)} is taken by {shown(names[card.name])}"
            raise ValueError(f"{called} {shown(card.id)}: {taken}")
        places[card.id] = index
        names[card.name] = card.id


def _check_number(called: str, cards: Sequence[Card], number: int) -> None:
    """Hold the copies of a list to the number of cards that the game is made of."""
    copies = sum(card.copies for card in cards)
    if copies != number:
        raise ValueError(f"the copies of all {called} must add up to {number}, not {copies}")


def load(path: str | Path | None = None) -> CardSet:
    """The reference card set, or the one in the user's file; CardError says what is wrong with it."""
    return load_cards(GamblerCardFile, path, built_in=CARDS_YAML)

"""the card file of Bedroom Battle: what may stand in it, its limits, and reading it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
import pydantic
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from cardzoo.envs.bedroom_battle.cards import (
    GENDERS,
    KINDS,
    MAX_AMOUNT,
    MAX_ATTACHMENTS,
    MAX_BASE,
    MAX_COPIES,
    MAX_COSTS,
    MAX_DOUBLES,
    MAX_FINALS,
    MAX_MODES,
    MAX_PLAYS,
    MAX_REWARDS,
    MAX_TYPES,
    MAX_WHILES,
    MIN_COPIES,
    MODE_ROWS,
    RESTRICTIONS,
    VOCABULARY,
    reward_ids,
)
from cardzoo.envs.core.cards import Card, CardFile, CardSet, load_cards
from cardzoo.envs.core.effects import Effect, EffectList, ModeList
from cardzoo.envs.core.fields import OneOf, Subset, Whole, shown, suggestion

CARDS_YAML: Final = Path(__file__).with_name("cards.yaml")


class BattleCard(Card):
    """One battle card type."""

    kind: Annotated[Literal["character", "item", "attribute", "special"], OneOf(*KINDS)]
    copies: Annotated[int, Whole(1, MAX_COPIES)]
    gender: Annotated[Literal["none", "male", "female", "both"] | None, OneOf(*GENDERS)] = None
    only: Annotated[tuple[str, ...], Subset(RESTRICTIONS)] = ()
    appeal: Annotated[int, Whole(-MAX_AMOUNT, MAX_AMOUNT)] = 0
    cost: Annotated[tuple[Effect, ...], EffectList(VOCABULARY, "cost", MAX_COSTS)] = ()
    play: Annotated[tuple[Effect, ...], EffectList(VOCABULARY, "play", MAX_PLAYS)] = ()
    while_: Annotated[tuple[Effect, ...], EffectList(VOCABULARY, "while", MAX_WHILES)] = Field((), alias="while")
    choice: Annotated[tuple[tuple[Effect, ...], ...], ModeList(VOCABULARY, "mode", MAX_MODES, MODE_ROWS)] = ()

    @pydantic.model_validator(mode="after")
    def _check_kind(self) -> BattleCard:
        """Hold each kind to the fields it has."""
        given = {type(self).model_fields[name].alias or name for name in self.model_fields_set}
        needed, refused = {
            "character": ({"gender", "appeal"}, {"only"}),
            "item": ({"appeal"}, {"gender"}),
            "attribute": ({"appeal"}, {"gender"}),
            "special": (set(), {"gender", "only", "appeal", "while"}),
        }[self.kind]
        article = "an" if self.kind[0] in "aeiou" else "a"
        for name in sorted(needed - given):
            raise ValueError(f'field "{name}" is missing, and {article} {self.kind} needs it')
        for name in sorted(refused & given):
            raise ValueError(f'field "{name}" is not allowed on {article} {self.kind}')
        if self.kind == "character" and not 0 <= self.appeal <= MAX_BASE:
            limits = f"a whole number from 0 to {MAX_BASE} on a character"
            raise ValueError(f'field "appeal" must be {limits}, not {self.appeal}')
        if self.kind in ("item", "attribute") and any(effect.verb == "sacrifice" for effect in self.cost):
            raise ValueError(f'field "cost": sacrifice is not allowed on {article} {self.kind}')
        if {"own", "opp"} <= set(self.only):
            raise ValueError('field "only" must not hold both own and opp, because no host stands on both sides')
        return self


class Rewards(BaseModel):
    """Numbers of reward cards of each kind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    small: Annotated[int, Whole(0, MAX_REWARDS)]
    hot: Annotated[int, Whole(0, MAX_REWARDS)]
    final: Annotated[int, Whole(1, MAX_FINALS)]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the reward cards in table order."""
        return reward_ids(self.small, self.hot, self.final)


class BattleCardFile(CardFile):
    """A whole card file of this game."""

    types: tuple[BattleCard, ...]
    rewards: Rewards

    @pydantic.model_validator(mode="after")
    def _check_limits(self) -> BattleCardFile:
        """Hold the whole set to the sizes that the state record has room for."""
        if not 1 <= len(self.types) <= MAX_TYPES:
            raise ValueError(f'field "types" must list 1 to {MAX_TYPES} card types, not {len(self.types)}')
        copies = sum(card.copies for card in self.types)
        if not MIN_COPIES <= copies <= MAX_COPIES:
            raise ValueError(f"the copies of all cards must add up to {MIN_COPIES} to {MAX_COPIES}, not {copies}")
        attachments = sum(card.copies for card in self.types if card.kind in ("item", "attribute"))
        if attachments > MAX_ATTACHMENTS:
            raise ValueError(
                f"the copies of items and attributes must add up to at most {MAX_ATTACHMENTS}, not {attachments}"
            )
        doubles = sum(card.copies for card in self.types if any(effect.verb == "double" for effect in card.while_))
        if doubles > MAX_DOUBLES:
            raise ValueError(f"the copies of cards with double must add up to at most {MAX_DOUBLES}, not {doubles}")
        rewards = len(self.rewards.ids)
        if rewards > MAX_REWARDS:
            raise ValueError(f'field "rewards" must hold at most {MAX_REWARDS} reward cards in all, not {rewards}')
        if self.rewards.small + self.rewards.hot == 0:
            raise ValueError('field "rewards" must hold at least one small or hot reward card')
        return self

    @pydantic.model_validator(mode="after")
    def _check_named_cards(self) -> BattleCardFile:
        """`if with ID` and `if on ID` must name a character of the set."""
        characters = [card.id for card in self.types if card.kind == "character"]
        for card in self.types:
            for effect in card.while_:
                if effect.card and effect.card not in characters:
                    hint = suggestion(effect.card, characters)
                    raise ValueError(
                        f'card {shown(card.id)}: field "while": {shown(str(effect))} must name a character of this '
                        f"file, and {shown(effect.card)} is none{hint}"
                    )
        return self

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """What a learner may be shown of each type: float32 (T, F), scaled to -1..1 for ordinary cards.

        Kind, gender and restriction bits, copies / 4, value / 10, and for each verb the strength that it has on the
        card: its number / 5 (1 where it takes none), `may` and the modes of a choice counting half.
        """
        flags = [("kind", KINDS), ("gender", ("male", "female")), ("only", RESTRICTIONS)]
        names = [f"{group}_{word}" for group, words in flags for word in words]
        names += ["copies", "value", *VOCABULARY.verbs]
        matrix = np.zeros((len(self.types), len(names)), dtype=np.float32)
        for row, card in zip(matrix, self.types, strict=True):
            held = {f"kind_{card.kind}", *(f"only_{word}" for word in card.only)}
            held |= {f"gender_{word}" for word in ("male", "female") if card.gender in (word, "both")}
            for name in held:
                row[names.index(name)] = 1.0
            row[names.index("copies")] = card.copies / 4
            row[names.index("value")] = card.appeal / 10
            sure = [*card.cost, *card.play, *card.while_]
            for effect, weight in [(e, 1.0) for e in sure] + [(e, 0.5) for mode in card.choice for e in mode]:
                strength = 1.0 if effect.number is None else effect.number / 5
                row[names.index(effect.verb)] += strength * (weight / 2 if effect.may else weight)
        return tuple(names), np.clip(matrix, -2.0, 2.0)


def load(path: str | Path | None = None) -> CardSet:
    """The reference card set, or the one in the user's file; CardError says what is wrong with it."""
    return load_cards(BattleCardFile, path, built_in=CARDS_YAML)

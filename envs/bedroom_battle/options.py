"""The options of Bedroom Battle: each with its default, its range and the sentence that explains it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, cast

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from cardzoo.envs.bedroom_battle.card_file import BattleCardFile
from cardzoo.envs.bedroom_battle.cards import MAX_FINALS, MAX_REWARDS
from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.fields import Flag, Number, OneOf, Whole

NAME: Final = "bedroom_battle"
PRESETS: Final = {"quick": (2, 3), "marathon": (7, 10)}  # small and hot rewards
MAX_COUNT: Final = 32_767  # turns and rounds are int16 fields of the state record
SPARE_ROUNDS: Final = 20


class BattleOptions(BaseModel):
    """All options; a preset has been turned into numbers, so the same model comes back from its own values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    small_rewards: Annotated[int, Whole(0, MAX_REWARDS)] = Field(5, description="small reward cards in the pile")
    hot_rewards: Annotated[int, Whole(0, MAX_REWARDS)] = Field(7, description="hot reward cards in the pile")
    preset: Annotated[Literal["none", "quick", "marathon"], OneOf("none", *PRESETS)] = Field(
        "none", description="quick = 2 small + 3 hot rewards, marathon = 7 + 10; numbers given beside it win"
    )
    final_rewards: Annotated[int, Whole(1, MAX_FINALS)] = Field(1, description="final rewards set aside")
    select_rewards: Annotated[bool, Flag()] = Field(
        False, description="twice as many rewards of each kind are laid out and picked alternately"
    )
    draft: Annotated[Literal["open", "none"], OneOf("open", "none")] = Field(
        "open", description="open = cards are picked from a row, none = cards are dealt"
    )
    challenges: Annotated[Literal["play", "skip"], OneOf("play", "skip")] = Field(
        "play", description="skip = no challenge, bail or final decisions; does not change who wins"
    )
    challenge_weight: Annotated[float, Number(0, 1)] = Field(
        0.0, description="weight of the private challenge preferences in the return; above 0 needs challenges: play"
    )
    reshuffle: Annotated[Literal["lazy", "eager"], OneOf("lazy", "eager")] = Field(
        "lazy", description="an empty deck is refilled when a card must be drawn (lazy) or at once (eager)"
    )
    starter: Annotated[Literal["random", 0, 1], OneOf("random", 0, 1)] = Field(
        "random", description="seat that starts the first round"
    )
    max_turns: Annotated[int, Whole(1, MAX_COUNT)] = Field(100, description="turns after which a battle is scored")
    max_rounds: Annotated[int, Whole(0, MAX_COUNT)] = Field(
        0, description=f"rounds after which the game is cut off; 0 = small + hot rewards + {SPARE_ROUNDS}"
    )

    @pydantic.model_validator(mode="before")
    @classmethod
    def _apply_preset(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the preset's numbers where none are given."""
        preset = values.get("preset")
        if not isinstance(preset, str) or preset not in PRESETS:
            return values
        small, hot = PRESETS[preset]
        return {"small_rewards": small, "hot_rewards": hot, **values}

    @pydantic.model_validator(mode="after")
    def _check_together(self) -> BattleOptions:
        """What options ask of each other."""
        if self.small_rewards + self.hot_rewards == 0:
            raise ValueError('options "small_rewards" and "hot_rewards" must not both be 0')
        if self.challenge_weight > 0 and self.challenges == "skip":
            raise ValueError(
                f'option "challenge_weight" must be 0 when "challenges" is "skip", not {self.challenge_weight:g}'
            )
        return self

    @property
    def round_limit(self) -> int:
        """The round after which the game is cut off."""
        return self.max_rounds or self.small_rewards + self.hot_rewards + SPARE_ROUNDS

    def check_cards(self, cards: CardSet) -> None:
        """Hold the numbers of rewards to what the card set has.

        Raises:
            OptionError: names the option, its value and how many the set allows.
        """
        rewards = cast(BattleCardFile, cards.file).rewards
        share = 2 if self.select_rewards else 1
        selected = f" ({share} for each, because select_rewards is on)" if self.select_rewards else ""
        for option, wanted, held, needed in (
            ("small_rewards", self.small_rewards, rewards.small, share),
            ("hot_rewards", self.hot_rewards, rewards.hot, share),
            ("final_rewards", self.final_rewards, rewards.final, 1),
        ):
            if wanted * needed > held:
                reason = selected if needed == 2 else ""
                raise OptionError(
                    f'{NAME}: option "{option}" must be at most {held // needed}, not {wanted}, because the card set '
                    f"{cards.source} holds {held} {option.removesuffix('_rewards')} rewards{reason}."
                )

"""The options of Bloodsport Gambler: each with its default, its range and the sentence that explains it."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from cardzoo.envs.bloodsport_gambler.state import COIN_TOKENS, SEATS
from cardzoo.envs.bloodsport_gambler.tables import FINISHED, OBJECTIVES
from cardzoo.envs.core.fields import Flag, OneOf, Whole

NAME: Final = "bloodsport_gambler"
MAX_FIGHT_ROUNDS: Final = 100
MAX_ROUNDS: Final = 99
PASS_RULES: Final = ("consecutive", "final")


class GamblerOptions(BaseModel):
    """All options; the default that depends on another has been filled in, so the same model comes from its values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: Annotated[int, Whole(1, SEATS)] = Field(2, description="number of seats, 1 or 2")
    objective: Annotated[Literal["outcome", "race", "fate"], OneOf(*OBJECTIVES)] = Field(
        "race",
        description="what returns measure: outcome = each seat's own result, race = one seat against the other, fate = "
        "how good the result is; if not given, race for two seats and outcome for one",
    )
    finished_seat: Annotated[Literal["leave", "continue", "restart"], OneOf(*FINISHED)] = Field(
        "leave",
        description="what a seat does after its result while the game goes on: leave, continue = a winner gambles on, "
        "restart = it starts over; without effect under race",
    )
    pass_rule: Annotated[Literal["consecutive", "final"], OneOf(*PASS_RULES)] = Field(
        "consecutive", description="final = a seat that passed is out for the phase or React window"
    )
    coin_supply: Annotated[Literal["open", "limited"], OneOf("open", "limited")] = Field(
        "open", description=f"limited = gains are cut to the coins left of {COIN_TOKENS}"
    )
    face_up: Annotated[bool, Flag()] = Field(
        False, description="weapons and secrets are dealt face up, so every seat knows them from the deal on"
    )
    max_fight_rounds: Annotated[int, Whole(1, MAX_FIGHT_ROUNDS)] = Field(
        20, description="fight rounds after which a fight without a victor is a dead heat"
    )
    max_rounds: Annotated[int, Whole(1, MAX_ROUNDS)] = Field(20, description="rounds after which the game is cut off")

    @pydantic.model_validator(mode="before")
    @classmethod
    def _fill_in(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Fill in the objective of one seat; what is wrong is left to the checks of the fields."""
        try:
            alone = Whole(1, SEATS).check(values.get("seats", SEATS)) == 1
        except ValueError:
            return values
        return {"objective": "outcome" if alone else "race", **values}

    @pydantic.model_validator(mode="after")
    def _check_together(self) -> GamblerOptions:
        """What options ask of each other."""
        if self.seats == 1 and self.objective == "race":
            raise ValueError('option "objective" must be outcome or fate for one seat, not "race"')
        return self

    def rules_fields(self) -> dict[str, int]:
        """The values of the rules record's fields that come from options, as `tables.rules_record` takes them."""
        return {
            "num_seats": self.seats,
            "objective": OBJECTIVES.index(self.objective),
            "finished": FINISHED.index(self.finished_seat),
            "final_passes": PASS_RULES.index(self.pass_rule),
            "coins_limited": int(self.coin_supply == "limited"),
            "face_up": int(self.face_up),
            "max_fight_rounds": self.max_fight_rounds,
            "max_rounds": self.max_rounds,
        }

"""Bloodsport Gambler as a `Game`: the place where its cards, options, kernels, notation and drawing come together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler import actions, tables
from cardzoo.envs.bloodsport_gambler.card_file import CARDS_YAML, GamblerCardFile
from cardzoo.envs.bloodsport_gambler.cards import KIND, SABOTAGE
from cardzoo.envs.bloodsport_gambler.cards import tables as card_tables
from cardzoo.envs.bloodsport_gambler.checks import PROBLEMS, changes, problems
from cardzoo.envs.bloodsport_gambler.describe import describe_card, fate_of, seats_text
from cardzoo.envs.bloodsport_gambler.information import resample
from cardzoo.envs.bloodsport_gambler.legal import legal
from cardzoo.envs.bloodsport_gambler.observe import observation_layout, observe
from cardzoo.envs.bloodsport_gambler.options import GamblerOptions
from cardzoo.envs.bloodsport_gambler.position import dump_position, load_position
from cardzoo.envs.bloodsport_gambler.render import render
from cardzoo.envs.bloodsport_gambler.rules import apply, returns, setup
from cardzoo.envs.bloodsport_gambler.state import DEFEATED, DTYPE, OVER, PAID_OFF
from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.state import State

register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))

OBJECTIVES = {
    "outcome": "each seat's own result, +1 paid off, -1 defeated, 0 none",
    "race": "one seat against the other, +1 won, -1 lost, 0 drawn or cut off",
    "fate": "how good each seat's own result is, 1/3 to 1 paid off, -1 to -1/4 defeated, 0 none",
}

EXPLANATIONS = {
    "play": "play this action card; its targets, showing, Time and coins are decided next",
    "target": "aim the card being played at this fighter or the weapon there",
    "target F": "aim the card being played at this fight or its secret",
    "show": "show this card to the other seat, which adds 1 to the risk",
    "hide": "keep this card hidden from the other seat",
    "time": "spend so much Time to lower the risk of the card being played",
    "coin": "spend so many coins to lower the risk of the card being played",
    "pass": "play nothing; the turns end when all have passed",
    "proceed": "let the risk roll of the Sabotage come without ratting",
    "rat": "spend a chance to bring the guard level down to 1",
    "bet": "wager so many coins on this fighter",
    "nobet": "make no wager on this fight",
    "pay": "pay this amount of the loans",
    "done": "make no more payments this round",
    "skip": "spend a chance instead of paying this round",
    "discard": "discard this card before the next deal",
    "keep": "keep the rest of the hand",
}


class BloodsportGambler(Game):
    """Betting on three fights a round, with spying and Sabotage, for 1 or 2 seats: see RULES.md beside this file."""

    name = "bloodsport_gambler"
    title = "Bloodsport Gambler"
    version = 0
    dtype = DTYPE
    problem_names = PROBLEMS
    options_model = GamblerOptions
    card_file = GamblerCardFile
    cards_path: ClassVar[Path] = CARDS_YAML
    observation_limit = 2.0
    goal = "paid off"
    public_moves = False  # wagers and the Sabotage that is played are secret
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "solo": {"seats": 1},
        "outcome": {"objective": "outcome"},
        "fate": {"objective": "fate"},
        "solo_fate": {"seats": 1, "objective": "fate"},
        "continue": {"objective": "outcome", "finished_seat": "continue"},
        "restart": {"objective": "outcome", "finished_seat": "restart"},
        "final_passes": {"pass_rule": "final"},
        "limited": {"coin_supply": "limited", "objective": "outcome"},
        "short": {"max_fight_rounds": 2, "max_rounds": 2},
        "face_up": {"seats": 1, "face_up": True},
    }

    def _build(self, cards: CardSet, options: GamblerOptions) -> Parts:
        encoded = card_tables(cards)
        num_actions = len(encoded.actions)
        return Parts(
            tables.rules_record(encoded, options.rules_fields()),
            actions.action_layout(num_actions),
            observation_layout(
                num_actions,
                int((encoded.actions[:, KIND] == SABOTAGE).sum()),
                len(encoded.fighters),
                len(encoded.weapons),
                len(encoded.secrets),
            ),
            options.seats,
        )

    def _texts(self, seat: int) -> list[str]:
        return actions.action_texts(self.cards.ids)

    def load_position(self, position: Mapping[str, Any]) -> Records:
        """The record of a position (RULES.md), after the engine's forced steps; PositionError names the bad key."""
        return load_position(self, position)

    def dump_position(self, states: Records) -> dict[str, Any]:
        """The position of states[0], everything by name."""
        return dump_position(self, states)

    def render(self, state: State, viewer: int | None = None) -> str:
        """The table as text, as seat `viewer` may see it."""
        return render(self, state.states, viewer)

    @property
    def objective(self) -> str:
        """What the returns measure."""
        name = self.options["objective"]
        return f"{name}: {OBJECTIVES[name]}"

    @property
    def zero_sum(self) -> bool:
        """Whether the returns sum to 0: in a race."""
        return bool(self.options["objective"] == "race")

    def reached(self, states: Records) -> NDArray[np.bool_]:
        """Which seats have paid off in states[0], by their first result: bool (S,)."""
        return np.asarray(states.result[0, : self.num_seats] == PAID_OFF)

    def explain(self, action: int | str, seat: int = 0) -> str:
        """One sentence on what an action does; for an action card also what is printed on it."""
        text = self.text(self.parse(action, seat) if isinstance(action, str) else action, seat)
        word, _, rest = text.partition(" ")
        printed = ""
        if word in ("play", "discard"):
            card: Any = self.cards[rest]
            printed = f" ({describe_card(card)})"
        key = "target F" if text.startswith("target F") else word
        return f"{text}: {EXPLANATIONS[key]}{printed}."

    def outcome(self, states: Records) -> Outcome | None:
        """How states[0] ended, None while it goes on."""
        record = states[0]
        if int(record.node) != OVER:
            return None
        round_no = int(record.round_no)
        results = [int(result) for result in record.result[: self.num_seats]]
        said = [
            f"{seats_text(seats)} {word}"
            for result, word in ((PAID_OFF, "paid off"), (DEFEATED, "defaulted"))
            if (seats := [seat for seat in range(self.num_seats) if results[seat] == result])
        ]
        if int(record.truncated):
            return Outcome(f"cut off after round {round_no}{''.join(f', {words}' for words in said)}", (), True)
        if self.options["objective"] == "race":
            winners = tuple(seat for seat in range(self.num_seats) if float(record.ret[seat]) > 0)
            said.append(f"{seats_text(winners)} won the race" if winners else "the race is a draw")
        else:
            winners = tuple(seat for seat in range(self.num_seats) if results[seat] == PAID_OFF)
        return Outcome(f"{', '.join(said)}, in round {round_no}", winners, False)

    def ending(self, states: Records, seat: int, outcome: Outcome | None) -> dict[str, Any]:
        """See `Game.ending`; also "fate": see `fate_of`."""
        return {**super().ending(states, seat, outcome), "fate": fate_of(states[0], seat)}

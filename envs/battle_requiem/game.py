"""Battle Requiem as a `Game`: the place where its cards, options, kernels, notation and drawing come together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem import actions, tables
from cardzoo.envs.battle_requiem.card_file import CARDS_YAML, RequiemCardFile
from cardzoo.envs.battle_requiem.cards import tables as card_tables
from cardzoo.envs.battle_requiem.checks import PROBLEMS, changes, problems
from cardzoo.envs.battle_requiem.describe import describe_card, describe_character, seats_text
from cardzoo.envs.battle_requiem.information import resample
from cardzoo.envs.battle_requiem.legal import legal
from cardzoo.envs.battle_requiem.observe import observation_layout, observe
from cardzoo.envs.battle_requiem.options import RequiemOptions
from cardzoo.envs.battle_requiem.position import dump_position, load_position
from cardzoo.envs.battle_requiem.render import render
from cardzoo.envs.battle_requiem.rules import apply, returns, setup
from cardzoo.envs.battle_requiem.seats import count_teams
from cardzoo.envs.battle_requiem.state import DTYPE, OVER
from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.state import State

register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))

EXPLANATIONS = {
    "play": "commit this card to the duel",
    "use": "use this card as a turn",
    "discard": "discard this card: as a turn, to an effect, or on the way down to the Inventory",
    "pick": "take or give one card of this type for the effect",
    "draft": "take this character",
    "duel": "attack the seat that is so many places after the one whose turn it is, the fallen counted",
    "target": "choose this seat for the effect, counted from the one whose turn it is",
    "choose": "choose this branch of the effect",
    "done": "commit no more cards",
    "pass": "put up no defence",
    "suffer": "lose HP instead of discarding cards",
    "reward heal": "regain 5 HP",
    "reward restock": "take the unused cards of the fallen seat, then discard down to the Inventory",
    "reward grow": "raise the Inventory by 1 for good",
}


class BattleRequiem(Game):
    """Duels with hidden cards for 2 to 6 seats, each for itself or in teams: see RULES.md beside this file."""

    name = "battle_requiem"
    title = "Battle Requiem"
    version = 0
    dtype = DTYPE
    problem_names = PROBLEMS
    options_model = RequiemOptions
    card_file = RequiemCardFile
    cards_path: ClassVar[Path] = CARDS_YAML
    observation_limit = 1.0
    public_moves = False  # duel cards are committed face-down
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "three": {"seats": 3},
        "four": {"seats": 4},
        "five": {"seats": 5},
        "six": {"seats": 6},
        "teams_2v2": {"teams": [0, 1, 0, 1]},
        "teams_3v3": {"teams": [0, 1, 0, 1, 0, 1]},
        "teams_2v2v2": {"teams": [0, 1, 2, 0, 1, 2]},
        "draft": {"seats": 3, "characters": "draft"},
        "team_draft": {"teams": [0, 1, 0, 1], "characters": "draft"},
        "placement": {"seats": 4, "returns": "placement", "reward_scope": "any", "heal_cap": "start"},
        "team_hands": {"teams": [0, 1, 0, 1], "team_hands": "shown"},
        "six_wide": {"seats": 2, "obs_seats": 6},
    }

    def _build(self, cards: CardSet, options: RequiemOptions) -> Parts:
        options.check_cards(cards)
        self.characters = cast(RequiemCardFile, cards.file).characters
        num_types, num_characters = len(cards), len(self.characters)
        return Parts(
            tables.rules_record(card_tables(cards), options.rules_fields(cards)),
            actions.action_layout(num_types, num_characters),
            observation_layout(num_types, num_characters, options.obs_seats),
            options.seats,
            tuple(options.teams or ()),
        )

    def _texts(self, seat: int) -> list[str]:
        return actions.action_texts(self.cards.ids, [character.id for character in self.characters])

    def load_position(self, position: Mapping[str, Any]) -> Records:
        """The record of a position (RULES.md); the engine makes no moves; PositionError names the bad key."""
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
        unit = "seat" if self.num_teams == self.num_seats else "team"
        if self.options["returns"] == "placement":
            return f"placement: from +1 for the first {unit} to -1 for the last"
        lost = f"-1/{self.num_teams - 1} every other" if self.num_teams > 2 else "-1 the other"
        return f"winner: +1 the last {unit} standing, {lost}"

    def explain(self, action: int | str, seat: int = 0) -> str:
        """One sentence on what an action does; for a card or character also what is printed on it."""
        text = self.text(self.parse(action, seat) if isinstance(action, str) else action, seat)
        word, _, rest = text.partition(" ")
        key = text if word == "reward" else word
        printed = ""
        if word in ("play", "discard", "pick"):
            card: Any = self.cards[rest]
            printed = f" ({describe_card(card)})"
            if word == "play" and card.kind in ("item", "relic"):
                key = "use"
        elif word == "draft":
            character = next(character for character in self.characters if character.id == rest)
            printed = f" ({describe_character(character)})"
        return f"{text}: {EXPLANATIONS[key]}{printed}."

    def places(self, states: Records) -> NDArray[np.float64]:
        """Each seat's place in the finished game states[0], float64 (S,): as the record keeps it, by elimination."""
        living = count_teams(states[0], self.rules[0])
        twice = states[0].place2[: self.num_seats]
        return np.where(twice > 0, twice / 2, (living + 1) / 2)

    def factions(self, states: Records) -> NDArray[np.str_] | None:
        """The character of each seat in `states` (n,), str (n, S); None in a draft."""
        dealt = states.char[:, : self.num_seats]
        if (dealt < 0).any():
            return None
        return np.array([character.id for character in self.characters], dtype=np.str_)[dealt]

    def outcome(self, states: Records) -> Outcome | None:
        """How states[0] ended, None while it goes on."""
        record, rules = states[0], self.rules[0]
        if int(record.phase) != OVER:
            return None
        turn = int(record.turn)
        teams = {int(rules.team[seat]) for seat in range(self.num_seats) if int(record.hp[seat]) > 0}
        winners = tuple(seat for seat in range(self.num_seats) if int(rules.team[seat]) in teams)
        if int(record.truncated):
            return Outcome(f"cut off after turn {turn} with {seats_text(winners)} still in", (), True)
        team = f"team {teams.pop()} ({seats_text(winners)})" if int(rules.team_size) > 1 else seats_text(winners)
        return Outcome(f"{team} stood last in turn {turn}", winners, False)

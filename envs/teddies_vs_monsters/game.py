"""Teddies vs Monsters as a `Game`: the place where its cards, options, kernels, notation and drawing come together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.state import State
from cardzoo.envs.teddies_vs_monsters import actions, tables
from cardzoo.envs.teddies_vs_monsters.card_file import CARDS_YAML, TeddiesCard, TeddiesCardFile
from cardzoo.envs.teddies_vs_monsters.cards import tables as card_tables
from cardzoo.envs.teddies_vs_monsters.cards import team_cards
from cardzoo.envs.teddies_vs_monsters.checks import PROBLEMS, changes, problems
from cardzoo.envs.teddies_vs_monsters.describe import counted, describe_card
from cardzoo.envs.teddies_vs_monsters.information import resample
from cardzoo.envs.teddies_vs_monsters.legal import legal
from cardzoo.envs.teddies_vs_monsters.observe import observation_layout, observe
from cardzoo.envs.teddies_vs_monsters.options import TeddiesOptions
from cardzoo.envs.teddies_vs_monsters.position import dump_position, load_position
from cardzoo.envs.teddies_vs_monsters.render import render
from cardzoo.envs.teddies_vs_monsters.rules import apply, returns, setup
from cardzoo.envs.teddies_vs_monsters.state import DTYPE, NOBODY, TEAM_NAMES, TEAMS

register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))

EXPLANATIONS = {
    "play": "use this card; if it has several targets, the target is decided next",
    "discard": "discard this card",
    "to own": "place the card on top of the own row in this room",
    "to foe": "use the card on the other team's side of this room: attack its row, bomb it, or lay a trap, as it says",
    "to trap": "discard the card to remove, or to pay for, the top trap on the own side of this room",
    "claim": "claim this room for the own row, which discards the other team's row and all traps there",
    "call own": "call the mistake in the own row of this room: the first wrong card and all above it are discarded",
    "call foe": "call the mistake in the other team's row of this room: its first wrong card and all above it go",
    "draw hand": "draw a card to the hand",
    "draw sleeve": "draw a card to the sleeve, face up",
    "take deck": "make the second deck the deck",
    "look": "pick the hand up",
    "wait": "do nothing for a while",
}


class TeddiesVsMonsters(Game):
    """A race in real time to fill rooms, for 2 or 4 seats in two teams: see RULES.md beside this file."""

    name = "teddies_vs_monsters"
    title = "Teddies vs Monsters"
    version = 0
    dtype = DTYPE
    problem_names = PROBLEMS
    options_model = TeddiesOptions
    card_file = TeddiesCardFile
    cards_path: ClassVar[Path] = CARDS_YAML
    observation_limit = 2.0
    public_moves = False  # an act is hidden until it lands
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "four": {"seats": 4},
        "mistakes": {"allow_mistakes": True},
        "mistakes_four": {"seats": 4, "allow_mistakes": True, "call_by": "owner", "review": "discount"},
        "face_down": {"start_hand": "face_down"},
        "returned": {"late_cards": "returned"},
        "blocked": {"trap_blocks_claim": True},
        "open_team": {"seats": 4, "open_team": True, "partner_sleeve": "always"},
        "rooms": {"stall_result": "most_rooms", "sudden_death_win": "completion"},
        "level_1": {"levels": [1]},
        "level_3": {"levels": [3]},
        "levels": {"levels": [1, 2, 3]},
        "uneven": {"pace": [100, 150], "reaction": [2, 8], "jitter": [0, 10]},
        "short": {"keys_to_win": 1, "round_ticks": 300, "max_sudden": 1, "max_rounds": 2},
    }

    def _build(self, cards: CardSet, options: TeddiesOptions) -> Parts:
        rules = tables.rules_record(card_tables(cards), options.levels, options.rules_fields())
        sizes = rules[0]
        num_types, num_rooms = int(sizes.num_types), int(sizes.num_rooms)
        return Parts(
            rules,
            actions.action_layout(num_types, num_rooms),
            observation_layout(num_types, options.seats, num_rooms, int(sizes.max_length)),
            options.seats,
            tuple(seat % TEAMS for seat in range(options.seats)),
        )

    def _agent_names(self) -> tuple[str, ...]:
        return tuple(f"{TEAM_NAMES[seat % TEAMS]}_{seat // TEAMS}" for seat in range(self.num_seats))

    def _texts(self, seat: int) -> list[str]:
        ids = [card.id for card in team_cards(self.cards)[seat % TEAMS]]
        rules: Any = self.rules[0]
        return actions.action_texts(ids, int(rules.num_types), int(rules.num_rooms))

    def load_position(self, position: Mapping[str, Any]) -> Records:
        """The record of a position (RULES.md), after the engine's forced steps; PositionError names the bad key."""
        return load_position(self, position)

    def dump_position(self, states: Records) -> dict[str, Any]:
        """The position of states[0], everything by name."""
        return dump_position(self, states)

    def render(self, state: State, viewer: int | None = None) -> str:
        """The table as text, as seat `viewer` may see it."""
        return render(self, state.states, viewer)

    def explain(self, action: int | str, seat: int = 0) -> str:
        """One sentence on what an action of a seat does; for a card also what is printed on it."""
        text = self.text(self.parse(action, seat) if isinstance(action, str) else action, seat)
        key = text if text in EXPLANATIONS else text.rpartition(" ")[0]
        printed = ""
        if key in ("play", "discard"):
            card = text.removeprefix(f"{key} ")
            printed = "" if card.startswith("#") else f" ({describe_card(cast(TeddiesCard, self.cards[card]))})"
        return f"{text}: {EXPLANATIONS[key]}{printed}."

    def outcome(self, states: Records) -> Outcome | None:
        """How states[0] ended, None while it goes on."""
        record = states[0]
        if int(record.actor) != NOBODY:
            return None
        keys = [int(count) for count in record.keys]
        round_no = int(record.round_no)
        if int(record.truncated):
            said = ", ".join(f"the {name} have {counted(keys[team], 'key')}" for team, name in enumerate(TEAM_NAMES))
            return Outcome(f"cut off after round {round_no}: {said}", (), True)
        winner = 0 if keys[0] > keys[1] else 1
        reason = f"the {TEAM_NAMES[winner]} won with {counted(keys[winner], 'key')}, in round {round_no}"
        return Outcome(reason, tuple(seat for seat in range(self.num_seats) if seat % TEAMS == winner), False)

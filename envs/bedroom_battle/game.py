"""Bedroom Battle as a `Game`: the place where its cards, options, kernels, notation and drawing come together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from cardzoo.envs.bedroom_battle import actions, tables
from cardzoo.envs.bedroom_battle.card_file import BattleCardFile
from cardzoo.envs.bedroom_battle.cards import reward_ids
from cardzoo.envs.bedroom_battle.cards import tables as card_tables
from cardzoo.envs.bedroom_battle.checks import PROBLEM_NAMES, changes, problems
from cardzoo.envs.bedroom_battle.information import resample
from cardzoo.envs.bedroom_battle.legal import legal
from cardzoo.envs.bedroom_battle.observe import LIMIT, observation_layout, observe
from cardzoo.envs.bedroom_battle.options import BattleOptions
from cardzoo.envs.bedroom_battle.position import dump_position, load_position
from cardzoo.envs.bedroom_battle.render import render
from cardzoo.envs.bedroom_battle.rules import apply, resume, returns, setup
from cardzoo.envs.bedroom_battle.state import DTYPE, OVER
from cardzoo.envs.core.cards import CardSet
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.state import State

FOLDER = Path(__file__).parent

register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))

EXPLANATIONS = {
    "pass": "play no card; two passes in immediate succession end the battle",
    "decline": "leave out an optional effect, or the extra play",
    "accept": "agree to the challenge on offer",
    "bail": "use up a bail: the winner has to pick another challenge of the same card",
    "challenge": "pick this challenge of the reward card",
    "mode": "choose this effect of the card being resolved",
    "target": "name this character, counted from the left",
    "play": "play this card from the hand",
    "pick": "take this card: draft it, discard it, or choose this item",
    "reward": "take this reward card",
}


class BedroomBattle(Game):
    """The bidding game of rounds: see RULES.md beside this file."""

    name = "bedroom_battle"
    title = "Bedroom Battle"
    version = 0
    dtype = DTYPE
    problem_names = PROBLEM_NAMES
    options_model = BattleOptions
    card_file = BattleCardFile
    cards_path = FOLDER / "cards.yaml"
    observation_limit = LIMIT
    public_moves = True  # every move is made in the open; only cards in hand and piles are hidden
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "default": {},
        "quick": {"preset": "quick"},
        "no_draft": {"draft": "none", "preset": "quick"},
        "skip": {"challenges": "skip", "preset": "quick"},
        "select": {"select_rewards": True, "small_rewards": 2, "hot_rewards": 2, "final_rewards": 3},
        "weighted": {"challenge_weight": 0.5, "preset": "quick", "reshuffle": "eager"},
    }

    def _build(self, cards: CardSet, options: BattleOptions) -> Parts:
        options.check_cards(cards)
        encoded = card_tables(cards)
        numbers = {
            tables.SMALL_REWARDS: options.small_rewards,
            tables.HOT_REWARDS: options.hot_rewards,
            tables.FINAL_REWARDS: options.final_rewards,
            tables.SELECT_REWARDS: int(options.select_rewards),
            tables.NO_DRAFT: int(options.draft == "none"),
            tables.PLAY_CHALLENGES: int(options.challenges == "play"),
            tables.EAGER: int(options.reshuffle == "eager"),
            tables.STARTER: tables.RANDOM_STARTER if options.starter == "random" else int(options.starter),
            tables.MAX_TURNS: options.max_turns,
            tables.MAX_ROUNDS: options.round_limit,
        }
        rules = tables.rules_record(encoded, numbers, options.challenge_weight)
        num_rewards = len(encoded.rewards)
        self.reward_ids = reward_ids(*(int((encoded.rewards == kind).sum()) for kind in range(3)))
        observations = observation_layout(len(cards), int(rules[0].num_attachments), num_rewards)
        return Parts(rules, actions.action_layout(len(cards), num_rewards), observations, 2)

    def _texts(self, seat: int) -> list[str]:
        return actions.action_texts([card.id for card in self.cards], self.reward_ids)

    def load_position(self, position: Mapping[str, Any]) -> Records:
        """The record of a position (RULES.md), automatic steps taken; PositionError names the bad key."""
        states = load_position(self, position)
        resume(states, 0, self.rules)
        return states

    def dump_position(self, states: Records) -> dict[str, Any]:
        """The position of states[0], everything by name."""
        return dump_position(self, states)

    def render(self, state: State, viewer: int | None = None) -> str:
        """The table as text, as seat `viewer` may see it."""
        return render(self, state.states, viewer)

    @property
    def objective(self) -> str:
        """What the returns measure."""
        weight = self.options["challenge_weight"]
        liked = f", plus {weight:g} times the mean of the own preferences for the challenges performed"
        return super().objective + (liked if weight > 0 else "")

    @property
    def zero_sum(self) -> bool:
        """Whether the returns sum to 0: not where each seat's own preferences enter."""
        return bool(self.options["challenge_weight"] == 0)

    def explain(self, action: int | str, seat: int = 0) -> str:
        """One sentence on what an action does; for a card also what is printed on it."""
        text = self.text(self.parse(action, seat) if isinstance(action, str) else action, seat)
        word, _, rest = text.partition(" ")
        sentence = f"{text}: {EXPLANATIONS[word]}"
        if word in ("play", "pick"):
            sentence += f" ({describe_card(self.cards[rest])})"
        return sentence + "."

    def outcome(self, states: Records) -> Outcome | None:
        """How states[0] ended, None while it goes on."""
        record = states[0]
        if int(record.phase) != OVER:
            return None
        if int(record.truncated):
            return Outcome(f"cut off after round {int(record.round_no)}", (), True)
        winner = int(record.game_winner)
        own, other = int(record.n_won[winner]), int(record.n_won[1 - winner])
        reason = (
            f"{own} rewards to {other}" if own != other else f"{own} rewards each, seat {winner} won the last round"
        )
        return Outcome(reason, (winner,), False)


def describe_card(card: Any) -> str:
    """What is printed on a card, on one line."""
    parts = [card.name, card.kind]
    if card.kind == "character":
        parts.append(f"{card.gender}, appeal {card.appeal}")
    elif card.kind != "special":
        parts.append(f"appeal {card.appeal:+d}")
    if card.only:
        parts.append("only " + " ".join(card.only))
    for label, effects in (("cost", card.cost), ("when played", card.play), ("while in play", card.while_)):
        if effects:
            parts.append(f"{label}: " + ", ".join(str(effect) for effect in effects))
    if card.choice:
        parts.append("choose: " + " | ".join(", ".join(str(effect) for effect in mode) for mode in card.choice))
    return "; ".join(parts)

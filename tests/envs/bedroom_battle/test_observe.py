"""What a seat may know can be read back from its observation: the vector is decoded and compared with the position."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.bedroom_battle import observe
from cardzoo.envs.bedroom_battle.state import MAX_SLOTS, PHASES
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State

GAMES: tuple[dict[str, Any], ...] = (
    {},
    {"challenges": "skip", "preset": "quick"},
    {"draft": "none", "preset": "quick"},
    {"select_rewards": True, "small_rewards": 2, "hot_rewards": 2, "final_rewards": 3},
    {"challenge_weight": 0.5, "preset": "quick"},
)


class Decoded:
    """The observation of one seat, read block by block; sides are [own, opp]."""

    def __init__(self, game: Game, vector: np.ndarray) -> None:
        self.game = game
        self.vector = vector
        self.ids = [card.id for card in game.cards]
        self.rewards = list(game.reward_ids)  # type: ignore[attr-defined]

    def block(self, name: str) -> np.ndarray:
        block = self.game.observations.block(name)
        return self.vector[block.slice].reshape(block.shape)

    def counts(self, name: str) -> Counter[str]:
        copies = np.rint(self.block(name) * 4).astype(int)
        return Counter({card: int(n) for card, n in zip(self.ids, copies, strict=True) if n})

    def scalar(self, index: int, scale: float) -> int:
        return int(np.rint(self.block("scalars")[index] * scale))

    def discard_top(self) -> list[str]:
        """The weights 1, 1/2, 1/4 have different sums, so the order can be read even of equal cards."""
        eighths = np.rint(self.block("discard_top") * 4).astype(int)
        top: list[str] = []
        for weight in (4, 2, 1):
            top += [card for card, value in zip(self.ids, eighths, strict=True) if value & weight]
        return top

    def board(self) -> list[list[tuple[str, Counter[str]]]]:
        """For each side the characters in slot order, each with its attachments."""
        attached: dict[tuple[int, int], Counter[str]] = {}
        copies = iter(np.rint(self.block("attachments") * MAX_SLOTS).astype(int))
        for card in self.game.cards:
            if card.kind in ("item", "attribute"):
                for _ in range(card.copies):
                    code = int(next(copies))
                    if code:
                        attached.setdefault((int(code < 0), abs(code) - 1), Counter())[card.id] += 1
        slots = self.block("slots")
        sides: list[list[tuple[str, Counter[str]]]] = [[], []]
        for side in range(2):
            for slot in range(MAX_SLOTS):
                code = int(np.rint(slots[side, slot, 0] * observe.CODE))
                if code:
                    sides[side].append((self.ids[code - 1], attached.get((side, slot), Counter())))
        return sides

    def appeals(self) -> list[list[int]]:
        slots = self.block("slots")
        return [
            [int(np.rint(slots[side, slot, 1] * 20)) for slot in range(MAX_SLOTS) if slots[side, slot, 0] > 0]
            for side in range(2)
        ]

    def rewards_where(self, low: float, high: float) -> set[str]:
        return {reward for reward, v in zip(self.rewards, self.block("rewards"), strict=True) if low <= v <= high}

    def performed(self) -> dict[str, str]:
        found = {}
        for reward, value in zip(self.rewards, np.abs(self.block("rewards")), strict=True):
            letter = int(np.rint((value - observe.WON) / observe.LETTER))
            if 0 < letter <= 3 and value < observe.IN_PILE:
                found[reward] = "abc"[letter - 1]
        return found


def board_of(position: dict[str, Any], seat: int) -> list[list[tuple[str, Counter[str]]]]:
    sides = []
    for side in (seat, 1 - seat):
        cards = [entry.split("+") for entry in position["board"][side]]
        sides.append([(parts[0], Counter(parts[1:])) for parts in cards])
    return sides


def assert_recoverable(state: State, seat: int) -> None:
    """Everything public, and the seat's own cards, as the position has them."""
    position = state.to_position()
    seen = Decoded(state.game, state.observe(seat))
    other = 1 - seat
    hand, known = Counter(position["hands"][seat]), Counter(position["known"][seat])
    opp_known = Counter(position["known"][other])
    assert seen.counts("hand") == hand
    assert seen.counts("hand_hidden") == hand - known
    assert seen.counts("opp_known") == opp_known
    assert seen.counts("row") == Counter(position["row"])
    assert seen.counts("unseen") == Counter(position["deck"]) + Counter(position["hands"][other]) - opp_known
    assert seen.discard_top() == position["discard"][:3]
    assert seen.board() == board_of(position, seat)
    assert seen.appeals() == [[min(a, 40) for a in position["appeal"][side]] for side in (seat, other)]
    assert PHASES[int(seen.block("phase").argmax())] == position["phase"]
    assert seen.block("phase").sum() == 1
    assert [seen.scalar(0, 40), seen.scalar(1, 40)] == [min(position["totals"][side], 80) for side in (seat, other)]
    assert [seen.scalar(3, 16), seen.scalar(4, 16)] == [len(position["hands"][side]) for side in (seat, other)]
    assert seen.scalar(5, 16) == len(position["hands"][other]) - sum(opp_known.values())
    assert [seen.scalar(6, 100), seen.scalar(7, 100)] == [position["counts"]["deck"], position["counts"]["discard"]]
    assert seen.scalar(8, 30) == position["round"]
    pile = Counter(reward.split("_")[0] for reward in position["pile"])
    assert [seen.scalar(9, 16), seen.scalar(10, 16)] == [pile["small"], pile["hot"]]
    assert seen.scalar(13, 28) == len(position["unused_hot"])
    assert [seen.scalar(14, 16), seen.scalar(15, 16)] == [len(position["won"][side]) for side in (seat, other)]
    assert seen.scalar(17, 1) == int(position["starter"] == seat)
    assert seen.scalar(18, 1) == int(position["passes"] == 1 and state.actor == seat)
    assert seen.scalar(19, state.game.options["max_turns"]) == position["turns"]
    assert [seen.scalar(20, 2), seen.scalar(21, 2)] == [position["bails"][seat], position["bails"][other]]
    winner = position["last_winner"]
    assert seen.scalar(23, 1) == (0 if winner is None else 1 if winner == seat else -1)
    assert seen.scalar(24, 1) == int(state.actor == seat)
    assert_rewards(state, seen, position, seat)
    assert_prompt(state, seen, position, seat)


def assert_rewards(state: State, seen: Decoded, position: dict[str, Any], seat: int) -> None:
    """Where each reward card is, the letters performed, and the own preferences that are on offer."""
    challenged = set((position["reward"] or {}).get("cards", []))
    selection = position["select"] or {"row": [], "kept": []}
    assert seen.rewards_where(0.1, 0.4) == set(position["won"][seat]) - challenged
    assert seen.rewards_where(-0.4, -0.1) == set(position["won"][1 - seat]) - challenged
    offered = seen.rewards_where(observe.ON_OFFER, observe.ON_OFFER)
    finals = {reward for reward in offered if reward.startswith("final")}
    assert offered - finals == {r for r in challenged if not r.startswith("final")} | set(position["pot"]) | set(
        selection["row"]
    )
    revealed = position["phase"] == "final" or any(reward.startswith("final") for reward in challenged)
    if revealed:
        assert finals == set(position["final"])
    elif not state.is_over:
        assert not finals
    kept = set(selection["kept"]) | (set(position["pile"]) if state.game.options["select_rewards"] else set())
    assert seen.rewards_where(observe.IN_PILE, observe.IN_PILE) == kept
    letters = {reward: letter for reward, letter in position["performed"].items() if not reward.startswith("final")}
    assert seen.performed() == {r: letter for r, letter in letters.items() if r not in challenged}
    best = np.rint(seen.block("reward_best") * 100).astype(int)
    for index, reward in enumerate(seen.rewards):
        own = position["prefs"].get(reward, [[0] * 3] * 2)[seat] if reward in offered else [0]
        assert best[index] == max(own)


def assert_prompt(state: State, seen: Decoded, position: dict[str, Any], seat: int) -> None:
    """The card being resolved with its step, and the challenge on offer."""
    pending, prompt = position["pending"], seen.block("prompt")
    code = int(np.rint(seen.block("pending")[0] * observe.CODE))
    if pending is None:
        assert not seen.block("pending").any()
        assert not prompt.any()
    else:
        assert seen.ids[code - 1] == pending["card"]
        assert bool(prompt[0]) == (pending["by"] == seat)
        assert ["cost", "play", "mode"][int(prompt[1:4].argmax())] == pending["part"]
        assert int(np.rint(prompt[8] * 3)) == pending["step"]
        assert int(np.rint(prompt[9] * 4)) == (pending.get("left") or 0)
        assert bool(prompt[10]) == bool(pending.get("extra"))
        assert (int(prompt[4:8].argmax()) + 1 if prompt[4:8].any() else 0) == (pending.get("mode") or 0)
    challenge, reward = seen.block("challenge"), position["reward"]
    if reward is None:
        assert not challenge.any()
    else:
        letter = "abc"[int(challenge[:3].argmax())] if challenge[:3].any() else None
        assert letter == reward.get("letter")
        assert [x for x, bailed in zip("abc", challenge[3:6], strict=True) if bailed] == list(reward.get("bailed", []))
        assert ["small", "hot", "final"][int(challenge[6:9].argmax())] == reward["cards"][0].split("_")[0]
        own = position["prefs"].get(reward["cards"][0], [[0] * 3] * 2)[seat]
        assert np.rint(challenge[9:12] * 100).astype(int).tolist() == list(own)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_what_a_seat_may_know_is_in_its_observation(seed: int, options: dict[str, Any]) -> None:
    """Architecture, section 6, the other way round: nothing a seat may know is lost in the encoding."""
    game = load("bedroom_battle", **options)
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    while not state.is_over:
        if rng.random() < 0.3:
            assert_recoverable(state, int(rng.integers(2)))
        state.apply(int(rng.choice(state.legal_actions())))
    for seat in range(2):
        assert_recoverable(state, seat)


def test_every_feature_is_named_and_the_vector_is_short() -> None:
    """The layout fills the vector; the reference set takes 893 features (900 were allowed)."""
    game = load("bedroom_battle")
    assert game.observation_size == sum(block.size for block in game.observations) == 893
    assert all(block.text for block in game.observations)


@pytest.mark.parametrize("seat", [0, 1])
def test_features_stay_within_the_limit_in_extreme_positions(seat: int) -> None:
    """Full sides, doubled appeals and a hand of a third of the deck stay within -2..2."""
    game = load("bedroom_battle")
    attached = ["magic_mirror", "private_jet", "convertible", "clown_shoes"]
    side = ["+".join(["rock_star", *attached]), *["average_joe"] * 4, *["granny"] * 3, *["maid"] * 2]
    others = [card.id for card in game.cards if card.kind != "character" and card.id not in attached]
    position = {"hands": [others, ["billionaire"]], "board": [side, ["opera_diva+clown_shoes"]]}
    state = game.from_position(position)
    vector = state.observe(seat)
    assert np.isfinite(vector).all()
    assert np.abs(vector).max() <= game.observation_limit
    assert np.abs(vector).max() == game.observation_limit  # something was held back


def test_counts_above_eight_are_held_at_the_limit(tmp_path: Any) -> None:
    """A user's set may hold many copies of a type: the features still lie within -2..2."""
    types = [
        {"id": f"c{n}", "name": f"C{n}", "kind": "character", "copies": 20, "gender": "none", "appeal": 20}
        for n in range(2)
    ]
    path = tmp_path / "cards.yaml"
    path.write_text(yaml.safe_dump({"types": types, "rewards": {"small": 16, "hot": 28, "final": 8}}))
    game = load("bedroom_battle", cards=path)
    state = game.from_position({"hands": [["c0"] * 15, ["c1"] * 12]})
    vector = state.observe(0)
    assert vector[game.observations["hand"]].tolist() == [2.0, 0.0]
    assert np.abs(vector).max() <= 2.0

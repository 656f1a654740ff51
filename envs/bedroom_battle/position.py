"""Positions by name: reading one into a state record, and (in position_dump.py) writing one.

A position says what a person would: who holds which card, what lies where, what is being decided. Everything that it
leaves out has a default, and everything that cannot occur in a game is refused with the key that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cardzoo.envs.bedroom_battle import tables
from cardzoo.envs.bedroom_battle.cards import FINAL as FINAL_REWARD
from cardzoo.envs.bedroom_battle.cards import HOT, REWARD_KINDS, SMALL
from cardzoo.envs.bedroom_battle.legal import legal
from cardzoo.envs.bedroom_battle.notation import DERIVED, KEYS, LETTERS, Names, as_pair
from cardzoo.envs.bedroom_battle.pending import Pending, read_pending
from cardzoo.envs.bedroom_battle.position_dump import dump_position
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    BAIL,
    BATTLE,
    CHALLENGE,
    DISCARD,
    DRAFT,
    DTYPE,
    EXTRA,
    FINAL,
    MAX_SLOTS,
    MAX_TAPE,
    NOBODY,
    OVER,
    PHASES,
    ROUND,
    ROW_SIZE,
    SELECT,
    SETUP_2,
    STAGES,
)
from cardzoo.envs.core.fields import alternatives, shown
from cardzoo.envs.core.notation import as_list, as_mapping, as_whole, as_word, bad, checked_keys
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.records import Record, Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

__all__ = ["dump_position", "load_position"]

ROUND_ROW: Final = 3
MAX_BAILS: Final = 2
MAX_PREFERENCE: Final = 100
BATTLING: Final = (BATTLE, EXTRA, *range(ATTACH, DISCARD + 1))  # phases with a battlefield
SCORED: Final = (CHALLENGE, BAIL, FINAL, OVER)  # phases after SCORE, when the pot is won


def load_position(game: Game, position: Mapping[str, Any], seed: int | None = 0) -> Records:
    """Make a state record from a position, before the engine's automatic steps.

    Args:
        game: the game whose cards and options the position is read with.
        position: the mapping; derived keys are ignored.
        seed: fixes what the position leaves to chance: the order of the cards under the listed deck cards, and all
            random numbers after it.

    Returns:
        np.recarray of `state.DTYPE`, shape (1,).

    Raises:
        PositionError: the position is malformed or cannot occur; the sentence names the key.
    """
    states = _Reader(game, position, seed).read()
    if ATTACH <= int(states[0].phase) <= DISCARD:
        mask = np.zeros(game.num_actions, np.bool_)
        if legal(states, 0, game.rules, mask) == 0:
            raise bad("pending", "asks for a choice that has no legal answer, so the rules would not ask for it")
    return states


class _Reader:
    """One position on its way into one record: reads key by key, keeps the account of cards, then writes."""

    def __init__(self, game: Game, position: Mapping[str, Any], seed: int | None) -> None:
        self.names = Names(game)
        rules = game.rules[0]
        self.options = [int(value) for value in rules.options]
        self.weight = float(rules.challenge_weight)
        self.position = checked_keys(position, KEYS, DERIVED)
        self.seed = seed
        self.states: Records = np.zeros(1, DTYPE).view(np.recarray)
        self.s: Record = self.states[0]
        self.used: Counter[int] = Counter()  # copies of each type placed so far
        self.card_keys: dict[int, list[str]] = {}  # keys that placed a type
        self.reward_key: dict[int, str] = {}  # key that placed a reward card

    def read(self) -> Records:
        """Read everything and return the record."""
        self.s.rng[:] = seed_states(self.seed, 1)[0]
        self._read_flow()
        self._read_board()
        pending = self._read_pending()
        self._read_battle_cards(pending)
        self._read_rewards()
        self._read_challenge()
        self._read_performed()
        self._read_actor(pending)
        self._fill_deck()
        return self.states

    def get(self, key: str) -> Any:
        """The value of a key; None when it is omitted or null."""
        return self.position.get(key)

    # --- flow

    def _read_flow(self) -> None:
        """Phase, draft stage, counters, starter, last winner, bails."""
        s, get = self.s, self.get
        self.phase = BATTLE if get("phase") is None else as_word("phase", get("phase"), PHASES)
        self._check_phase()
        self.stage = 0
        draft = "round" if get("draft") is None else get("draft")
        stage = 1 + as_word("draft", draft, STAGES[1:])
        if self.phase == DRAFT:
            self.stage = stage
        elif stage != ROUND:
            raise bad("draft", f'is {draft}, but only the phase "draft" has such a stage')
        self.setup = self.phase == SELECT or self.stage not in (0, ROUND)
        self._read_counters()
        s.phase = self.phase
        s.draft_stage = self.stage
        s.starter = 0 if get("starter") is None else as_whole("starter", get("starter"), 0, 1)
        last = get("last_winner")
        s.last_winner = NOBODY if last is None else as_whole("last_winner", last, 0, 1)
        s.game_winner = NOBODY
        bails = [MAX_BAILS, MAX_BAILS] if get("bails") is None else as_pair("bails", get("bails"), "numbers")
        for seat in range(2):
            s.bails[seat] = as_whole("bails", bails[seat], 0, MAX_BAILS)

    def _check_phase(self) -> None:
        """Refuse a phase that the options leave out."""
        name = PHASES[self.phase]
        if self.phase == SELECT and not self.options[tables.SELECT_REWARDS]:
            raise bad("phase", "is select, but the option select_rewards is off")
        if self.phase == DRAFT and self.options[tables.NO_DRAFT]:
            raise bad("phase", "is draft, but the option draft is none")
        if self.phase in (CHALLENGE, BAIL, FINAL) and not self.options[tables.PLAY_CHALLENGES]:
            raise bad("phase", f"is {name}, but the option challenges is skip")

    def _read_counters(self) -> None:
        """Round, turns and passes."""
        get = self.get
        low, high = (0, 0) if self.setup else (1, self.options[tables.MAX_ROUNDS])
        self.round = low if get("round") is None else as_whole("round", get("round"), low, high)
        self.s.round_no = self.round
        most = self.options[tables.MAX_TURNS] - 1 if self.phase in BATTLING else 0
        self.s.turns = 0 if get("turns") is None else as_whole("turns", get("turns"), 0, most)
        most = 1 if self.phase == BATTLE else 0
        self.s.passes = 0 if get("passes") is None else as_whole("passes", get("passes"), 0, most)

    def _read_actor(self, pending: Pending | None) -> None:
        """The seat to decide: named by the phase, where the phase leaves no doubt."""
        s = self.s
        given = self.get("actor")
        if self.phase == OVER:
            if given is not None:
                raise bad("actor", f"must be null when the game is over, not {shown(given)}")
            s.actor = NOBODY
            return
        free = self.phase in (BATTLE, EXTRA, DRAFT, SELECT)
        expected = self._expected_actor(pending)
        actor = expected if given is None else as_whole("actor", given, 0, 1)
        if actor != expected and not free:
            raise bad("actor", f"is {actor}, but seat {expected} decides in this {PHASES[self.phase]}")
        s.actor = actor

    def _expected_actor(self, pending: Pending | None) -> int:
        """The seat that the rules name for the phase."""
        s = self.s
        starter = int(s.starter)
        if self.phase == SELECT:
            hot = self.names.reward_kinds[int(s.sel_row[0])] == HOT
            return (starter if hot else 1 - starter) ^ (int(s.n_sel_kept) & 1)
        if self.phase == DRAFT:
            full = ROUND_ROW if self.stage == ROUND else ROW_SIZE
            first = 1 - starter if self.stage == SETUP_2 else starter
            return first ^ ((full - int(s.n_row)) & 1)
        if pending is not None:
            return pending.actor
        if self.phase in (CHALLENGE, BAIL, FINAL):
            winner = int(s.game_winner) if int(s.game_winner) != NOBODY else int(s.last_winner)
            return 1 - winner if self.phase == BAIL else winner
        return starter

    # --- battle cards

    def take(self, key: str, card: int) -> None:
        """Enter one copy of a type as placed by a key."""
        self.used[card] += 1
        keys = self.card_keys.setdefault(card, [])
        if key not in keys:
            keys.append(key)
        copies = int(self.names.cards[card].copies)
        if self.used[card] > copies:
            others = f" (with {alternatives(keys[:-1])})" if len(keys) > 1 else ""
            raise bad(
                key, f"needs {self.used[card]} copies of {self.names.card_ids[card]}{others}, but there are {copies}"
            )

    def _read_board(self) -> None:
        """Characters slot by slot with their attachments."""
        s, names = self.s, self.names
        sides = [[], []] if self.get("board") is None else as_pair("board", self.get("board"), "sides")
        for side, value in enumerate(sides):
            slots = as_list("board", value, 'texts such as "granny+fit_body"')
            if slots and self.phase not in BATTLING:
                raise bad("board", f'must be empty in the phase "{PHASES[self.phase]}"')
            if len(slots) > MAX_SLOTS:
                raise bad("board", f"has {len(slots)} characters on one side, but at most {MAX_SLOTS} fit")
            for slot, text in enumerate(slots):
                if not isinstance(text, str):
                    raise bad("board", f'must hold texts such as "granny+fit_body", not {shown(text)}')
                character, *attachments = (names.card("board", name) for name in text.split("+"))
                if names.cards[character].kind != "character":
                    raise bad("board", f"has {names.card_ids[character]}, which is no character, first in a slot")
                s.chars[side, slot] = character
                self.take("board", character)
                for card in attachments:
                    self._attach(card, side, slot)
            s.n_chars[side] = len(slots)

    def _attach(self, card: int, side: int, slot: int) -> None:
        """Put an attachment on a character."""
        s = self.s
        if self.names.cards[card].kind not in ("item", "attribute"):
            raise bad("board", f"has {self.names.card_ids[card]} on a character, but it is no item or attribute")
        self.take("board", card)
        n = int(s.n_att)
        s.att_card[n], s.att_side[n], s.att_slot[n] = card, side, slot
        s.n_att = n + 1

    def _read_pending(self) -> Pending | None:
        """The card being resolved; enters it as placed where it is not in play."""
        value = self.get("pending")
        resolving = ATTACH <= self.phase <= DISCARD
        if value is None:
            if resolving:
                raise bad("pending", f'is missing, but the phase "{PHASES[self.phase]}" resolves a card')
            return None
        if not resolving:
            raise bad("pending", f'must be left out in the phase "{PHASES[self.phase]}", which resolves no card')
        pending = read_pending(self.names, value, self.phase, self.s)
        if pending.held:
            self.take("pending", pending.card)
        return pending

    def _read_battle_cards(self, pending: Pending | None) -> None:
        """Hands, what is known of them, discard pile, draft row, tape of random cards."""
        s, names, get = self.s, self.names, self.get
        hands = [[], []] if get("hands") is None else as_pair("hands", get("hands"), "hands")
        for seat in range(2):
            for card in names.card_list("hands", hands[seat]):
                self.take("hands", card)
                s.hand[seat, card] += 1
                s.n_hand[seat] += 1
        self._read_known()
        discard = [] if get("discard") is None else names.card_list("discard", get("discard"))
        self._write_pile("discard", discard[::-1])
        for card in discard:
            self.take("discard", card)
        self._read_row()
        if pending is not None:
            pending.write_left(int(s.n_hand[pending.actor]), s)
        tape = [] if get("random_hand") is None else names.card_list("random_hand", get("random_hand"))
        if len(tape) > MAX_TAPE:
            raise bad("random_hand", f"has {len(tape)} entries, but at most {MAX_TAPE} are allowed")
        self._write_pile("random_hand", tape)

    def _read_known(self) -> None:
        """The copies in each hand that the other seat knows; omitted: all of them, without a draft none."""
        s = self.s
        value = self.get("known")
        if value is None:
            if not self.options[tables.NO_DRAFT]:
                s.known[:] = s.hand
                s.n_known[:] = s.n_hand
            return
        for seat, cards in enumerate(as_pair("known", value, "lists of cards")):
            for card in self.names.card_list("known", cards):
                if int(s.known[seat, card]) >= int(s.hand[seat, card]):
                    raise bad(
                        "known",
                        f"has more copies of {self.names.card_ids[card]} than the hand of seat {seat}, "
                        f"which holds {int(s.hand[seat, card])}",
                    )
                s.known[seat, card] += 1
                s.n_known[seat] += 1

    def _read_row(self) -> None:
        """The cards laid out for the draft."""
        row = [] if self.get("row") is None else self.names.card_list("row", self.get("row"))
        if self.phase != DRAFT:
            if row:
                raise bad("row", f'must be empty in the phase "{PHASES[self.phase]}"')
            return
        most = ROUND_ROW if self.stage == ROUND else ROW_SIZE
        if not 1 <= len(row) <= most:
            raise bad("row", f"must have 1 to {most} cards in a {STAGES[self.stage]} draft, not {len(row)}")
        for card in row:
            self.take("row", card)
        self._write_pile("row", row)

    def _fill_deck(self) -> None:
        """The listed deck cards on top, under them what is placed nowhere (unless it is out of the game), shuffled."""
        s = self.s
        listed = [] if self.get("deck") is None else self.names.card_list("deck", self.get("deck"))
        for card in listed:
            self.take("deck", card)
        rest: list[int] = []
        out = self.get("rest") is not None and as_word("rest", self.get("rest"), ("deck", "out")) == 1
        if not out:
            for card, entry in enumerate(self.names.cards):
                rest += [card] * (int(entry.copies) - self.used[card])
            np.random.default_rng(self.seed).shuffle(rest)
        self._write_pile("deck", rest + listed[::-1])
        for card in rest + listed:
            s.deck_left[card] += 1
        for card in rest:
            self.used[card] += 1
        for card, count in self.used.items():
            s.copies[card] = count

    def _write_pile(self, name: str, cards: Sequence[int]) -> None:
        """Write a list and its length."""
        self.s[name][: len(cards)] = cards
        self.s["n_" + name] = len(cards)

    # --- reward cards

    def put(self, key: str, rewards: Sequence[int]) -> list[int]:
        """Enter reward cards as placed by a key."""
        for reward in rewards:
            other = self.reward_key.setdefault(reward, key)
            if other != key:
                raise bad(key, f'names {self.names.reward_ids[reward]}, which is also in "{other}"')
        if len(set(rewards)) < len(rewards):
            twice = next(reward for reward in rewards if list(rewards).count(reward) > 1)
            raise bad(key, f"names {self.names.reward_ids[twice]} twice")
        return list(rewards)

    def free(self, kind: int, count: int | None = None) -> list[int]:
        """The first `count` reward cards of a kind (None: all) that are placed nowhere yet, in table order."""
        return [reward for reward in self.names.rewards_of(kind) if reward not in self.reward_key][:count]

    def _listed(self, key: str, kinds: Sequence[int]) -> list[int] | None:
        """The reward cards that the position lists under a key, entered; None when it is omitted."""
        value = self.get(key)
        return None if value is None else self.put(key, self.names.reward_list(key, value, kinds))

    def _read_rewards(self) -> None:
        """Where every reward card lies: listed places first, then the defaults in table order."""
        s, names = self.s, self.names
        won = [[], []] if self.get("won") is None else as_pair("won", self.get("won"), "lists of reward cards")
        both = [names.reward_list("won", cards) for cards in won]
        self.put("won", both[0] + both[1])
        for seat in range(2):
            s.won[seat, : len(both[seat])] = both[seat]
            s.n_won[seat] = len(both[seat])
        selecting = self._read_select()
        pot = self._listed("pot", (SMALL, HOT))
        pile = self._listed("pile", (SMALL, HOT))
        unused_hot = self._listed("unused_hot", (HOT,))
        unused_small = self._listed("unused_small", (SMALL,))
        final = self._listed("final", (FINAL_REWARD,))
        pot = self._pot() if pot is None else pot
        pile = self._pile(selecting) if pile is None else pile
        final = (
            self.put("final", self.free(FINAL_REWARD, self.options[tables.FINAL_REWARDS])) if final is None else final
        )
        self._check_rewards(pot, pile, final)
        self._write_pile("pot", pot)
        self._write_pile("pile", pile[::-1])
        self._write_pile("final", final)
        self._write_pile(
            "unused_hot", (self.put("unused_hot", self.free(HOT)) if unused_hot is None else unused_hot)[::-1]
        )
        self._write_pile(
            "unused_small", (self.put("unused_small", self.free(SMALL)) if unused_small is None else unused_small)[::-1]
        )
        seen = [*pot, *both[0], *both[1], *s.sel_row[: int(s.n_sel_row)], *s.sel_kept[: int(s.n_sel_kept)]]
        if self.options[tables.SELECT_REWARDS]:
            seen += pile  # chosen face up
        s.seen[[int(reward) for reward in seen]] = 1

    def _pot(self) -> list[int]:
        """The pot when it is omitted: one card of the round's kind, none before round 1 and after SCORE."""
        if self.round == 0 or self.phase in SCORED:
            return []
        kind = SMALL if self.round <= self.options[tables.SMALL_REWARDS] else HOT
        return self.put("pot", self.free(kind, 1))

    def _pile(self, selecting: int | None) -> list[int]:
        """The pile when it is omitted: what an ordinary game has left, or the hot rewards already selected."""
        small, hot = self.options[tables.SMALL_REWARDS], self.options[tables.HOT_REWARDS]
        if selecting is not None:
            return self.put("pile", self.free(HOT, hot)) if selecting == SMALL else []
        if self.phase in (FINAL, OVER) or self._is_final_challenge():
            return []  # the game has ended, so the pile is empty
        small_left = max(0, small - self.round)
        hot_left = max(0, hot - max(0, self.round - small))
        return self.put("pile", self.free(SMALL, small_left) + self.free(HOT, hot_left))

    def _check_rewards(self, pot: list[int], pile: list[int], final: list[int]) -> None:
        """Refuse reward cards where no game has them."""
        kinds = [self.names.reward_kinds[reward] for reward in pile]
        if kinds != sorted(kinds):
            raise bad("pile", "has a hot reward above a small one")
        if pile and (self.phase == FINAL or self._is_final_challenge()):
            raise bad("pile", "must be empty when the final reward is up, because only the last round leads there")
        truncated = self.phase == OVER
        if self.round == 0 or (self.phase in SCORED and not truncated):
            if pot:
                raise bad("pot", f'must be empty in the phase "{PHASES[self.phase]}"' + (" of the setup" * self.setup))
        elif not pot and not truncated:
            raise bad("pot", "must hold at least one reward card during a round")
        count = self.options[tables.FINAL_REWARDS]
        if len(final) != count:
            raise bad("final", f"must name {count} final reward cards, as many as are set aside, not {len(final)}")

    def _read_select(self) -> int | None:
        """The reward selection; returns the kind being selected, None outside it."""
        value = self.get("select")
        if self.phase != SELECT:
            if value is not None:
                raise bad("select", f'must be left out in the phase "{PHASES[self.phase]}"')
            return None
        if value is None:
            raise bad("select", 'is missing, but the phase "select" needs it')
        entry = as_mapping("select", value, ("kind", "row", "kept"))
        kind = as_word("select", entry.get("kind"), REWARD_KINDS[:2])
        row = self.names.reward_list("select", entry.get("row"), (kind,))
        kept = [] if entry.get("kept") is None else self.names.reward_list("select", entry["kept"], (kind,))
        wanted = self.options[tables.SMALL_REWARDS if kind == SMALL else tables.HOT_REWARDS]
        if len(kept) >= wanted or len(row) + len(kept) != 2 * wanted:
            raise bad(
                "select",
                f"must have {2 * wanted} {REWARD_KINDS[kind]} rewards in row and kept, less than {wanted} kept, "
                f"not {len(row)} and {len(kept)}",
            )
        self.put("select", row + kept)
        self._write_pile("sel_row", row)
        self._write_pile("sel_kept", kept)
        return kind

    # --- challenges

    def _is_final_challenge(self) -> bool:
        """Whether the position is in the challenge on a final reward."""
        value = self.get("reward")
        cards = value.get("cards") if isinstance(value, Mapping) else None
        first = cards[0] if isinstance(cards, (list, tuple)) and cards else None
        return first in [self.names.reward_ids[reward] for reward in self.names.rewards_of(FINAL_REWARD)]

    def _read_challenge(self) -> None:
        """The reward cards still to be challenged, the letter on offer, and the seat that won."""
        s = self.s
        value = self.get("reward")
        if self.phase not in (CHALLENGE, BAIL):
            if value is not None:
                raise bad("reward", f'must be left out in the phase "{PHASES[self.phase]}"')
        elif value is None:
            raise bad("reward", f'is missing, but the phase "{PHASES[self.phase]}" needs it')
        else:
            entry = as_mapping("reward", value, ("cards", "letter", "bailed"))
            self._read_letters(entry, self._read_challenge_cards(entry))
        s.truncated = self.phase == OVER and (int(s.n_pile) > 0 or int(s.n_pot) > 0)
        if self.phase == FINAL or int(s.final_pick) > 0 or (self.phase == OVER and not int(s.truncated)):
            s.game_winner = self._game_winner()
            if self.options[tables.PLAY_CHALLENGES]:
                s.seen[s.final[: int(s.n_final)]] = 1

    def _read_challenge_cards(self, entry: Mapping[str, Any]) -> int:
        """The cards still to be challenged, current first; returns the seat that may bail."""
        s, names = self.s, self.names
        cards = names.reward_list("reward", entry.get("cards"), (SMALL, HOT, FINAL_REWARD))
        if not cards:
            raise bad("reward", "must name in cards the reward cards still to be challenged, the current one first")
        if names.reward_kinds[cards[0]] == FINAL_REWARD:
            if cards[1:] or cards[0] not in s.final[: int(s.n_final)]:
                raise bad("reward", "must name one final reward card that is set aside")
            s.final_pick = cards[0] + 1
            return 1 - self._game_winner()
        winner = int(s.last_winner)
        if winner == NOBODY:
            raise bad("last_winner", f'is missing, but the phase "{PHASES[self.phase]}" needs it')
        won = [int(reward) for reward in s.won[winner, : int(s.n_won[winner])]]
        if won[-len(cards) :] != cards:
            raise bad("reward", f"must name the last cards that seat {winner} won, in the same order")
        s.ch_left = len(cards)
        return 1 - winner

    def _read_letters(self, entry: Mapping[str, Any], loser: int) -> None:
        """The letter on offer and the letters bailed on the current card."""
        s = self.s
        bailed = as_list("reward", [] if entry.get("bailed") is None else entry["bailed"], "letters")
        for name in bailed:
            letter = as_word("reward", name, LETTERS)
            if (int(s.bailed) >> letter) & 1:
                raise bad("reward", f"has the letter {name} twice in bailed")
            s.bailed = int(s.bailed) | 1 << letter
        spent = MAX_BAILS - int(s.bails[loser])
        if len(bailed) > spent:
            raise bad("reward", f"has {len(bailed)} letters in bailed, but seat {loser} has used {spent} bails")
        name = entry.get("letter")
        if self.phase == CHALLENGE:
            if name is not None:
                raise bad("reward", 'must have no letter in the phase "challenge", which asks for one')
            return
        letter = as_word("reward", name, LETTERS)
        if name in bailed:
            raise bad("reward", f"offers the letter {name}, which is among those bailed")
        s.letter = letter + 1

    def _game_winner(self) -> int:
        """The seat with more cards; with equal numbers the winner of the last decided round."""
        s = self.s
        lead = int(s.n_won[0]) - int(s.n_won[1])
        if lead:
            return 0 if lead > 0 else 1
        if int(s.last_winner) == NOBODY:
            raise bad("last_winner", "is missing, but both seats have won as many cards, so it decides the game")
        return int(s.last_winner)

    def _read_performed(self) -> None:
        """Preferences, letters performed, and what they add to the returns."""
        s, names = self.s, self.names
        prefs = {} if self.get("prefs") is None else as_mapping("prefs", self.get("prefs"), names.reward_ids)
        if prefs and self.weight == 0.0:
            raise bad("prefs", "needs the option challenge_weight above 0")
        for name, rows in prefs.items():
            for seat, row in enumerate(as_pair("prefs", rows, "rows of three preferences")):
                values = as_list("prefs", row, "three preferences")
                if len(values) != len(LETTERS):
                    raise bad(
                        "prefs", f"must have {len(LETTERS)} preferences for each seat and card, not {len(values)}"
                    )
                for letter, number in enumerate(values):
                    number = as_whole("prefs", number, -MAX_PREFERENCE, MAX_PREFERENCE)
                    s.prefs[seat, names.reward("prefs", name, (SMALL, HOT, FINAL_REWARD)), letter] = number
        performed = (
            {} if self.get("performed") is None else as_mapping("performed", self.get("performed"), names.reward_ids)
        )
        open_cards = [int(card) for card in s.won[int(s.last_winner), : int(s.n_won[int(s.last_winner)])]]
        open_cards = open_cards[len(open_cards) - int(s.ch_left) :]
        finals = [int(card) for card in s.final[: int(s.n_final)]] if self.phase == OVER else []
        for name, word in performed.items():
            reward = names.reward("performed", name, (SMALL, HOT, FINAL_REWARD))
            if (self.reward_key.get(reward) != "won" and reward not in finals) or reward in open_cards:
                raise bad("performed", f"names {name}, which is not among the cards won and challenged")
            letter = as_word("performed", word, LETTERS)
            level = names.reward_kinds[reward] + 1
            s.done[reward] = letter + 1
            s.levels = int(s.levels) + level
            for seat in range(2):
                s.comfort[seat] = int(s.comfort[seat]) + level * int(s.prefs[seat, reward, letter])
            if reward in finals:
                if int(s.final_pick):
                    raise bad("performed", "names two final reward cards")
                s.final_pick = reward + 1

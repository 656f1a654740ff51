"""The table as text, as a seat may see it: seats, fights, Sabotage, the card being played, piles, the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.bloodsport_gambler.actions import SPOT_NAMES
from cardzoo.envs.bloodsport_gambler.cards import KIND, SABOTAGE
from cardzoo.envs.bloodsport_gambler.describe import INDENT, WIDTH, counted, seats_text, wrapped
from cardzoo.envs.bloodsport_gambler.looks import item_to_show
from cardzoo.envs.bloodsport_gambler.notation import FIGHT_NAMES, PILE_FIELDS, TARGET_NAMES, Names, seats_of
from cardzoo.envs.bloodsport_gambler.render_fights import fight_lines
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    COIN,
    DEFEATED,
    DISCARD,
    FIGHTS,
    FIRST_LOAN,
    IN,
    LOAN,
    LOANS,
    NO_CARD,
    OVER,
    PAID_OFF,
    REACT,
    SHOW,
    SPOTS,
    TARGET,
    TIME,
    WINDOW,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records

SHOWN_CARDS: Final = 8  # cards of a deck from the top
STATUS_WORDS: Final = {PAID_OFF: "paid off", DEFEATED: "defeated"}


def render(game: Game, states: Records, viewer: int | None = None) -> str:
    """Draw the first record of `states` as a table of at most 100 columns.

    Args:
        game: the game.
        states: np.recarray of `state.DTYPE`.
        viewer: seat that looks, which sees what that seat may know; None sees everything.
    """
    return "\n".join(_Table(game, states, viewer).lines())


class _Table:
    """One state seen by one viewer."""

    def __init__(self, game: Game, states: Records, viewer: int | None) -> None:
        self.game = game
        self.rules: Any = game.rules[0]
        self.names = Names(game)
        self.states = states
        self.s = states[0]
        self.num_seats = game.num_seats
        self.viewer = viewer
        self.node = int(self.s.node)
        self.actor = int(self.s.actor)

    def lines(self) -> list[str]:
        """The whole table."""
        rule = "-" * WIDTH
        parts = [*wrapped(self.header()), rule]
        for seat in range(self.num_seats):
            parts += self.seat(seat)
        parts.append(rule)
        if int(self.s.secret[0]) != NO_CARD:
            for fight in range(FIGHTS):
                parts += fight_lines(self.names, self.game.rules, self.states, fight, self.viewer)
        return [*parts, *self.sabotage(), *self.pending(), rule, *self.piles(), rule, *wrapped(self.question(), "")]

    def sees(self, mask: Any) -> bool:
        """Whether the viewer is one of the seats of a bit mask."""
        return self.viewer is None or self.viewer in seats_of(mask)

    def header(self) -> str:
        """Round, guard level, who acts first."""
        s = self.s
        words = [
            f"Bloodsport Gambler: round {int(s.round_no)} of at most {int(self.rules.max_rounds)}",
            f"guard level {int(s.guard)}{', a card was caught this round' if int(s.caught) else ''}",
        ]
        if self.num_seats > 1:
            words.append(f"seat {int(s.first)} acts first")
        if int(s.passes):
            words.append(f"{counted(int(s.passes), 'seat')} passed in succession")
        return "; ".join(words)

    # --- a seat

    def seat(self, seat: int) -> list[str]:
        """One seat: purse, tokens, loans, hand, wagers."""
        s = self.s
        own = self.viewer in (None, seat)
        head = f"{'>' if seat == self.actor else ' '} SEAT {seat}{' (you)' if seat == self.viewer else ''}: "
        words = [] if int(s.playing[seat]) else ["has left with"]
        wagers = int(s.bet_coin[seat].sum())
        coins = counted(int(s.coin[seat]) + (0 if own else wagers), "coin")
        if not own and self.wagers_lie():
            coins += " with wagers"
        words += [f"{coins}, {int(s.time[seat])} Time, {counted(int(s.chance[seat]), 'chance')}"]
        lines = wrapped(head + "; ".join([" ".join(words), *self.loans(seat)]), INDENT * 2)
        lines += self.hand(seat)
        bets = [
            f"{int(s.bet_coin[seat, fight])} on {SPOT_NAMES[2 * fight + int(s.bet_side[seat, fight]) - 1]}"
            for fight in range(FIGHTS)
            if int(s.bet_side[seat, fight])
        ]
        notes = [f"wagers: {', '.join(bets)}"] if own and bets else []
        lost = [FIGHT_NAMES[fight].upper() for fight in range(FIGHTS) if int(s.lost[seat, fight])]
        notes += [f"was caught in {', '.join(lost)}, which loses the wager"] if lost else []
        notes += ["has passed for good"] if int(s.passed[seat]) else []
        return lines + (wrapped(INDENT + "; ".join(notes), INDENT * 2) if notes else [])

    def wagers_lie(self) -> bool:
        """Whether wagers are made or have been made and not been settled."""
        return self.node in (BET, WINDOW) or int(self.s.fight_round) > 0

    def loans(self, seat: int) -> list[str]:
        """Payments, status, fate."""
        s = self.s
        amounts = {paid: [str(FIRST_LOAN + k) for k in range(LOANS) if int(s.paid[seat, k]) == paid] for paid in (0, 1)}
        words = [f"paid {' '.join(amounts[1])}"] if amounts[1] else []
        words += [f"owes {' '.join(amounts[0])}"] if amounts[0] else []
        status, result = int(s.status[seat]), int(s.result[seat])
        if status != IN:
            words.append(STATUS_WORDS[status])
        if result != IN:
            fate = f"tier {int(s.fate_tier[seat])} (die {int(s.fate_roll[seat])}, total {int(s.fate_total[seat])})"
            words.append(f"result in round {int(s.done_round[seat])}: {STATUS_WORDS[result]}, fate {fate}")
        return words

    def hand(self, seat: int) -> list[str]:
        """The hand, or its size."""
        size = int(self.s.n_hand[seat])
        if self.viewer not in (None, seat):
            return [f"{INDENT}hand {size}{': hidden' if size else ''}"]
        held = self.names.actions.mapping(self.s.hand[seat])
        cards = [name for name, count in held.items() for _ in range(count)]
        return wrapped(f"{INDENT}hand {size}{': ' if cards else ''}{', '.join(cards)}", INDENT * 2)

    # --- the table

    def sabotage(self) -> list[str]:
        """Sabotage cards in played order, with their tokens."""
        s = self.s
        lines = []
        for k in range(int(s.n_sab)):
            seen = seats_of(s.sab_seen[k])
            name = self.names.actions.ids[int(s.sab_card[k])] if self.sees(s.sab_seen[k]) else "hidden"
            words = [f"Sabotage {k + 1} at {SPOT_NAMES[int(s.sab_spot[k])]}, seat {int(s.sab_seat[k])}: {name}"]
            words += [f"{int(s.sab_time[k])} Time"] if int(s.sab_time[k]) else []
            words += [counted(int(s.sab_coin[k]), "coin")] if int(s.sab_coin[k]) else []
            if int(s.sab_shown[k]):
                words.append("shown")
            elif len(seen) > 1:
                words.append("known to both seats")
            lines += wrapped(", ".join(words))
        return lines

    def pending(self) -> list[str]:
        """The card being played; a Sabotage is its owner's secret until it is shown."""
        s = self.s
        card = int(s.p_card)
        if card == NO_CARD:
            return []
        secret = int(self.rules.actions[card, KIND]) == SABOTAGE and not int(s.show[: int(s.n_show)].sum())
        hidden = secret and self.viewer not in (None, self.actor)
        words = [f"seat {self.actor} plays {'a hidden Sabotage' if hidden else self.names.actions.ids[card]}"]
        if int(s.n_target):
            words[0] += f" on {', '.join(TARGET_NAMES[int(target)] for target in s.target[: int(s.n_target)])}"
        if int(s.n_show):
            words.append(f"shows {int(s.show[: int(s.n_show)].sum())} of {counted(int(s.n_show), 'card')}")
        if int(s.p_time):
            words.append(f"{int(s.p_time)} Time spent")
        return wrapped(", ".join(words))

    def piles(self) -> list[str]:
        """Sizes of the decks, discards, used cards."""
        s, lines = self.s, []
        kinds = self.names.kinds()
        sizes = ", ".join(f"{kind} {int(s[PILE_FIELDS[kind][1]])}" for kind in kinds)
        lines += wrapped(f"decks: {sizes}")
        piles = {"used": self.names.actions.mapping(s.used)}
        for kind, ids in kinds.items():
            deck, size, discard = PILE_FIELDS[kind]
            piles[f"{kind} discard"] = ids.mapping(s[discard])
            if self.viewer is None and int(s[size]):
                top = [ids.ids[int(card)] for card in s[deck][: int(s[size])][::-1][:SHOWN_CARDS]]
                more = ", ..." if int(s[size]) > SHOWN_CARDS else ""
                lines += wrapped(f"{kind} deck, top first: {', '.join(top)}{more}")
        for label, counts in piles.items():
            cards = [name if count == 1 else f"{count} {name}" for name, count in counts.items()]
            lines += wrapped(f"{label}: {', '.join(cards)}") if cards else []
        return lines

    # --- the question

    def question(self) -> str:
        """What the acting seat is asked, in words."""
        if self.node == OVER:
            return self.ending()
        return f"{'You are' if self.actor == self.viewer else f'Seat {self.actor} is'} asked to {self.prompt()}."

    def ending(self) -> str:
        """How the game ended."""
        s = self.s
        if int(s.truncated):
            return "The game was cut off at the round limit."
        words = [
            f"{seats_text([seat])} {STATUS_WORDS[int(s.result[seat])]}"
            for seat in range(self.num_seats)
            if int(s.result[seat]) != IN
        ]
        returns = ", ".join(f"{float(value):+.2f}" for value in s.ret[: self.num_seats])
        return f"The game is over: {', '.join(words)}; returns {returns}."

    def prompt(self) -> str:
        """The end of the sentence "... is asked to"."""
        if self.node == SHOW:
            return f"show the other seat {self.shown_thing()} or hide it"
        fight = int(self.s.fight) + 1
        return {
            ACT: "play an action card or pass",
            TARGET: "choose a target for the card",
            TIME: "spend Time on the risk of the card",
            COIN: "spend coins on the risk of the card",
            BET: f"make a wager on fight {fight}",
            WINDOW: f"proceed to the risk roll of the Sabotage in fight {fight}, or rat",
            REACT: f"play a React card in fight {fight} or pass",
            LOAN: "pay an amount of the loans" + (" or stop" if int(self.s.paid_now[self.actor]) else ""),
            DISCARD: "discard action cards or keep the rest",
        }[self.node]

    def shown_thing(self) -> str:
        """What `show` asks about: the Sabotage being played, or a card that it looks at."""
        card = int(self.s.p_card)
        if int(self.rules.actions[card, KIND]) == SABOTAGE:
            return "the Sabotage"
        item = int(item_to_show(self.s, self.rules, self.actor, int(self.s.n_show)))
        return f"the weapon at {TARGET_NAMES[item]}" if item < SPOTS else f"the secret of {TARGET_NAMES[item]}"

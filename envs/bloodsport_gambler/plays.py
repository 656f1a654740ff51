"""Playing an action card: its targets, showing, Time, coins, and what comes of it (rulings R4, R5, R14, R24, R25)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.cards import REACT, SABOTAGE
from cardzoo.envs.bloodsport_gambler.effects import (
    catch,
    open_effects,
    passes_risk,
    react_effects,
    sabotage_effects,
)
from cardzoo.envs.bloodsport_gambler.flow import ASK, NEXT_TURN, ROUND, SUB
from cardzoo.envs.bloodsport_gambler.flow import SABOTAGE as NEXT_SABOTAGE
from cardzoo.envs.bloodsport_gambler.legal import (
    count_targets,
    kind_of,
    max_targets,
    most_coins,
    most_time,
    needs_roll,
    risk_of,
    shown_now,
)
from cardzoo.envs.bloodsport_gambler.looks import NO_LOOK, item_to_show, look_scope
from cardzoo.envs.bloodsport_gambler.piles import take_from_hand
from cardzoo.envs.bloodsport_gambler.seats import all_seats, has_company
from cardzoo.envs.bloodsport_gambler.state import (
    COIN,
    MAX_SHOWN,
    MAX_TARGETS,
    NO_CARD,
    SHOW,
    SIDES,
    TARGET,
    TIME,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# --- one decision after another


@kernel
def play(s: Record, card: int) -> int:
    """The deciding seat plays a card of its hand; returns what comes next."""
    take_from_hand(s, int(s.actor), card)
    s.p_card = card
    s.passes = 0
    return SUB


@kernel
def asks_to_show(s: Record, rules: Rules) -> bool:
    """Whether the next thing to decide is to show a card to the other seat."""
    seat = int(s.actor)
    if not has_company(s, seat):
        return False
    kind = kind_of(rules, int(s.p_card))
    if kind == SABOTAGE:
        return int(s.n_show) == 0
    # The target of another card is not looked at, so there is nothing to show.
    return look_scope(rules, int(s.p_card)) != NO_LOOK and item_to_show(s, rules, seat, int(s.n_show)) >= 0


@kernel
def next_sub(s: Record, rules: Rules) -> int:
    """The next decision of the card being played, in the order target, show, Time, coins; returns what comes next."""
    node = int(s.node)
    if node < TARGET or node > COIN:
        node = TARGET
    if node == TARGET:
        if int(s.n_target) < max_targets(rules, int(s.p_card)) and count_targets(s, rules) > 0:
            s.node = TARGET
            return ASK
        node = SHOW
    if node == SHOW:
        if asks_to_show(s, rules):
            s.node = SHOW
            return ASK
        node = TIME
        if most_time(s, rules) > 0:
            s.node = TIME
            return ASK
    if node == TIME:
        node = COIN
        if most_coins(s, rules) > 0:
            s.node = COIN
            return ASK
    return finish_play(s, rules, 0)


@kernel
def choose_target(s: Record, target: int) -> int:
    """A target of the card being played is chosen."""
    s.target[int(s.n_target)] = target
    s.n_target += 1
    s.node = TARGET
    return SUB


@kernel
def answer_show(s: Record, shown: int) -> int:
    """A card is shown to the other seat (1) or not (0)."""
    s.show[int(s.n_show)] = shown
    s.n_show += 1
    s.node = SHOW
    return SUB


@kernel
def spend_time(s: Record, rules: Rules, n: int) -> int:
    """Time is spent on the card being played; coins are next."""
    s.time[int(s.actor)] -= n
    s.p_time = n
    s.node = TIME
    return SUB


# --- the end of it


@kernel
def finish_play(s: Record, rules: Rules, coins: int) -> int:
    """All is decided: a Sabotage is laid down, another card rolls for its risk and takes effect."""
    seat = int(s.actor)
    card = int(s.p_card)
    s.coin[seat] -= coins
    if kind_of(rules, card) == SABOTAGE:
        lay_down(s, rules, coins)
    else:
        roll_and_act(s, rules, coins)
    clear_pending(s)
    return NEXT_TURN


@kernel
def lay_down(s: Record, rules: Rules, coins: int) -> None:
    """A Sabotage is put face down beside a fighter, with its tokens."""
    seat = int(s.actor)
    k = int(s.n_sab)
    spot = int(s.target[0])
    shown = shown_now(s)
    s.sab_card[k] = s.p_card
    s.sab_seat[k] = seat
    s.sab_spot[k] = spot
    s.sab_slot[k] = s.w_slot[spot // SIDES, spot % SIDES]
    s.sab_time[k] = s.p_time
    s.sab_coin[k] = coins
    s.sab_shown[k] = shown
    s.sab_seen[k] = all_seats(rules) if shown == 1 else 1 << seat
    s.n_sab = k + 1


@kernel
def roll_and_act(s: Record, rules: Rules, coins: int) -> None:
    """A Discover, Special or React card takes effect unless its player is caught."""
    seat = int(s.actor)
    card = int(s.p_card)
    shown = shown_now(s)
    spent = int(s.p_time) + coins
    s.p_time = 0  # tokens on a face-up card return at once
    react = kind_of(rules, card) == REACT
    if needs_roll(rules, card, shown) and not passes_risk(s, risk_of(rules, card, shown) - spent):
        catch(s, seat, int(s.fight) if react else -1)
    elif react:
        react_effects(s, rules, seat)
    else:
        open_effects(s, rules, seat)
    s.used[card] += 1


@kernel
def clear_pending(s: Record) -> None:
    """No card is being played."""
    s.p_card = NO_CARD
    s.p_time = 0
    s.n_target = 0
    s.n_show = 0
    for k in range(MAX_TARGETS):
        s.target[k] = 0
    for k in range(MAX_SHOWN):
        s.show[k] = 0


# --- Sabotage in its fight


@kernel
def next_sabotage_of(s: Record) -> int:
    """The first Sabotage on the table that belongs to the fight being fought; -1 if there is none."""
    for k in range(int(s.n_sab)):
        if int(s.sab_spot[k]) // SIDES == int(s.fight):
            return k
    return -1


@kernel
def reveal_sabotage(s: Record, rules: Rules) -> int:
    """The next Sabotage of the fight is revealed; its owner may rat before the roll; returns what comes next."""
    k = next_sabotage_of(s)
    if k < 0:
        return ROUND
    s.sab_seen[k] = all_seats(rules)
    seat = int(s.sab_seat[k])
    needed = needs_roll(rules, int(s.sab_card[k]), int(s.sab_shown[k]))
    if needed and int(s.guard) > 1 and int(s.chance[seat]) > 0:
        s.node = WINDOW
        s.actor = seat
        return ASK
    return resolve_sabotage(s, rules)


@kernel
def resolve_sabotage(s: Record, rules: Rules) -> int:
    """The risk roll of the next Sabotage of the fight, its effects, and the card to the used ones."""
    k = next_sabotage_of(s)
    card = int(s.sab_card[k])
    shown = int(s.sab_shown[k])
    remaining = risk_of(rules, card, shown) - int(s.sab_time[k]) - int(s.sab_coin[k])
    s.sab_time[k] = 0  # its tokens return
    s.sab_coin[k] = 0
    if needs_roll(rules, card, shown) and not passes_risk(s, remaining):
        catch(s, int(s.sab_seat[k]), int(s.fight))
    else:
        sabotage_effects(s, rules, k)
    s.used[card] += 1
    remove_sabotage(s, k)
    return NEXT_SABOTAGE


@kernel
def remove_sabotage(s: Record, k: int) -> None:
    """A Sabotage leaves the table; later ones close up."""
    n = int(s.n_sab)
    for j in range(k + 1, n):
        copy_sabotage(s, j, j - 1)
    s.sab_card[n - 1] = 0
    s.sab_seat[n - 1] = 0
    s.sab_spot[n - 1] = 0
    s.sab_slot[n - 1] = 0
    s.sab_time[n - 1] = 0
    s.sab_coin[n - 1] = 0
    s.sab_shown[n - 1] = 0
    s.sab_seen[n - 1] = 0
    s.n_sab = n - 1


@kernel
def copy_sabotage(s: Record, source: int, place: int) -> None:
    """A Sabotage moves to another place of the list."""
    s.sab_card[place] = s.sab_card[source]
    s.sab_seat[place] = s.sab_seat[source]
    s.sab_spot[place] = s.sab_spot[source]
    s.sab_slot[place] = s.sab_slot[source]
    s.sab_time[place] = s.sab_time[source]
    s.sab_coin[place] = s.sab_coin[source]
    s.sab_shown[place] = s.sab_shown[source]
    s.sab_seen[place] = s.sab_seen[source]

"""One game of Bloodsport Gambler as one record: every field, who may know it, and the numbers its codes stand for."""

from __future__ import annotations

from typing import Final

import numpy as np

SEATS: Final = 2
FIGHTS: Final = 3
SIDES: Final = 2  # LEFT, RIGHT
SPOTS: Final = 6  # a spot is 2 * fight + side: 1L 1R 2L 2R 3L 3R
MAX_ACTIONS: Final = 28  # types and cards
MAX_FIGHTERS: Final = 18
MAX_WEAPONS: Final = 18
MAX_SECRETS: Final = 12
MAX_STACK: Final = 12  # Sabotage cards on the table (ruling R26)
MAX_TARGETS: Final = 3
MAX_SHOWN: Final = 3
MAX_TAPE: Final = 16
LOANS: Final = 6  # amounts 3 .. 8; a seat owes 3 4 5 and 6 7 8
FIRST_LOAN: Final = 3

START_COINS: Final = 16
START_CHANCES: Final = 3
HAND_SIZE: Final = 6
MAX_TIME: Final = 6
TIME_TOKENS: Final = 12
COIN_TOKENS: Final = 66
MAX_GUARD: Final = 3
MAX_WAGER: Final = 3
MOST: Final = 99  # wounds and modifiers stay within -MOST .. MOST

LEFT: Final = 0
RIGHT: Final = 1
NOBODY: Final = -1
NO_CARD: Final = -1
NEW: Final = 6  # slot of a weapon that a Sabotage brought to the table

# Nodes: what is being decided.
ACT: Final = 0
TARGET: Final = 1
SHOW: Final = 2
TIME: Final = 3
COIN: Final = 4
BET: Final = 5
WINDOW: Final = 6
REACT: Final = 7
LOAN: Final = 8
DISCARD: Final = 9
OVER: Final = 10
NODES: Final = ("act", "target", "show", "time", "coin", "bet", "window", "react", "loan", "discard", "over")

# Status and result of a seat.
IN: Final = 0
PAID_OFF: Final = 1
DEFEATED: Final = 2
STATUSES: Final = ("in", "paid_off", "defeated")

# Winner of a fight.
UNDECIDED: Final = 0
LEFT_WON: Final = 1
RIGHT_WON: Final = 2
DEAD_HEAT: Final = 3
WINNERS: Final = ("", "left", "right", "none")

# Modifiers of a fighter that last for the fight: index of the last axis of `mod`.
MOD_STR: Final = 0
MOD_DEX: Final = 1
MOD_LIFE: Final = 2
MOD_SCORE: Final = 3
MOD_DICE: Final = 4  # above 0: the higher of two dice, below 0: the lower
MOD_TIES: Final = 5  # above 0: equal totals count as won
MODS: Final = 6

# Last axis of `react`: effects of React cards in this fight round.
REACT_SCORE: Final = 0
REACT_DAMAGE: Final = 1

# Seats beyond the game's number have 0 everywhere. Unused entries of lists are 0; cards that are none are NO_CARD.
DTYPE: Final = np.dtype(
    [
        # --- shared by all games
        ("rng", np.uint32, (4,)),  # generator state, hidden: shuffles, dice, random discards
        ("actor", np.int8),  # seat to decide; NOBODY when over
        ("truncated", np.int8),  # 1: ended by the round limit
        ("left", np.uint8),  # bit mask of the seats whose return is final while the other plays on
        # --- flow, public
        ("node", np.int8),
        ("round_no", np.int16),
        ("first", np.int8),  # seat that acts first this round
        ("passes", np.int8),  # passes in succession
        ("guard", np.int8),  # 1..3
        ("caught", np.int8),  # 1: a card was caught this round
        ("fight", np.int8),  # 0..2: the fight being bet on or fought
        ("fight_round", np.int16),  # of the fight being fought, from 1; 0 outside fights
        # --- seats, public
        ("coin", np.int16, (SEATS,)),  # purse, without unsettled wagers (what the other seat sees is purse + wagers)
        ("time", np.int8, (SEATS,)),
        ("chance", np.int8, (SEATS,)),
        ("paid", np.uint8, (SEATS, LOANS)),  # 1: the amount 3 + k is paid
        ("paid_now", np.int8, (SEATS,)),  # payments made this round
        ("status", np.int8, (SEATS,)),  # IN, PAID_OFF, DEFEATED: of the present run
        ("playing", np.int8, (SEATS,)),  # 1: still at the table
        ("passed", np.int8, (SEATS,)),  # 1: passed for good in this phase or window (pass_rule final)
        ("result", np.int8, (SEATS,)),  # first result of the seat, which its return depends on; IN while it has none
        ("done_round", np.int16, (SEATS,)),  # round of that result
        ("fate_tier", np.int8, (SEATS,)),
        ("fate_roll", np.int8, (SEATS,)),
        ("fate_total", np.int16, (SEATS,)),
        ("n_hand", np.int8, (SEATS,)),
        # --- wagers: the owner's secret until they are settled
        ("bet_side", np.int8, (SEATS, FIGHTS)),  # 0 none, 1 left, 2 right
        ("bet_coin", np.int8, (SEATS, FIGHTS)),
        ("lost", np.uint8, (SEATS, FIGHTS)),  # 1: caught in phase 4 on this fight, the wager is lost; public
        # --- the three fights; fighters, wounds, modifiers public
        ("fighter", np.int8, (FIGHTS, SIDES)),
        ("wounds", np.int8, (FIGHTS, SIDES)),
        ("mod", np.int8, (FIGHTS, SIDES, MODS)),
        ("weapon", np.int8, (FIGHTS, SIDES)),  # identity known to the seats in w_known
        ("w_slot", np.int8, (FIGHTS, SIDES)),  # spot where it was dealt, or NEW
        ("w_damage", np.int8, (FIGHTS, SIDES)),  # Sabotage that sticks to the weapon
        ("w_type", np.int8, (FIGHTS, SIDES)),  # Sabotage: weapon type + 1; 0 the printed one
        ("w_known", np.uint8, (FIGHTS, SIDES)),  # bit mask of seats, public
        ("w_old", np.uint8, (FIGHTS, SIDES)),  # 1: dealt before the last reshuffle of the weapon deck
        ("secret", np.int8, (FIGHTS,)),  # identity known to the seats in s_known
        ("s_known", np.uint8, (FIGHTS,)),
        ("s_old", np.uint8, (FIGHTS,)),
        ("winner", np.int8, (FIGHTS,)),
        # --- the fight round being fought, public
        ("rolls", np.int8, (SIDES, 2)),  # attack dice; only in a React window
        ("n_rolls", np.int8, (SIDES,)),
        ("react", np.int8, (SIDES, 2)),  # REACT_SCORE, REACT_DAMAGE
        ("wounded", np.uint8, (SIDES,)),  # 1: a lasting `wounded` effect of the secret holds (ruling R11)
        # --- Sabotage on the table in played order; place, owner and tokens public
        ("n_sab", np.int8),
        ("sab_card", np.int8, (MAX_STACK,)),  # identity known to the seats in sab_seen
        ("sab_seat", np.int8, (MAX_STACK,)),
        ("sab_spot", np.int8, (MAX_STACK,)),
        ("sab_slot", np.int8, (MAX_STACK,)),  # slot of the weapon that lay at the spot when it was played
        ("sab_time", np.int8, (MAX_STACK,)),
        ("sab_coin", np.int8, (MAX_STACK,)),
        ("sab_shown", np.int8, (MAX_STACK,)),  # 1: shown to the other seat, which adds 1 to its risk
        ("sab_seen", np.uint8, (MAX_STACK,)),
        # --- the card being played; a Sabotage's identity is its owner's secret until it is shown
        ("p_card", np.int8),  # NO_CARD when none
        ("n_target", np.int8),
        ("target", np.int8, (MAX_TARGETS,)),  # 0..5 spots (a fighter or the weapon there), 6..8 fights (or secrets)
        ("n_show", np.int8),  # answers given to `show`
        ("show", np.uint8, (MAX_SHOWN,)),
        ("p_time", np.int8),  # Time spent on it
        # --- action cards
        ("hand", np.uint8, (SEATS, MAX_ACTIONS)),  # counts, the owner's secret
        ("pool", np.uint8, (SEATS, MAX_ACTIONS)),  # copies that, for the seat, may still be in the action deck
        ("used", np.uint8, (MAX_ACTIONS,)),  # played this round, public
        # --- decks (the last is the top; contents by counting, order hidden) and discards (counts, public)
        ("n_act", np.int8),
        ("n_fig", np.int8),
        ("n_wea", np.int8),
        ("n_sec", np.int8),
        ("act_deck", np.uint8, (MAX_ACTIONS,)),
        ("fig_deck", np.uint8, (MAX_FIGHTERS,)),
        ("wea_deck", np.uint8, (MAX_WEAPONS,)),
        ("sec_deck", np.uint8, (MAX_SECRETS,)),
        ("act_disc", np.uint8, (MAX_ACTIONS,)),
        ("fig_disc", np.uint8, (MAX_FIGHTERS,)),
        ("wea_disc", np.uint8, (MAX_WEAPONS,)),
        ("sec_disc", np.uint8, (MAX_SECRETS,)),
        # --- chance fixed by a position
        ("tape", np.uint8, (MAX_TAPE,)),  # the next dice, the first next
        ("n_tape", np.int8),
        ("ret", np.float32, (SEATS,)),  # returns so far
    ]
)

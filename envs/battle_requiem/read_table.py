"""Reading what a position has on the table: the duel, the effect in progress, and the seats whose reward is open."""

from __future__ import annotations

from typing import Any

from cardzoo.envs.battle_requiem.cards import (
    ABILITY,
    ALL,
    ALLY,
    ARMAMENT_BITS,
    BRANCH,
    BRANCHES,
    ITEM,
    ONE,
    RELIC,
    ROB,
    SALVAGE,
    STEP_KINDS,
    VERB,
    VERBS,
    WHO,
    N,
)
from cardzoo.envs.battle_requiem.cards import LEVY as LEVY_STEP
from cardzoo.envs.battle_requiem.cards import TRIBUTE as TRIBUTE_STEP
from cardzoo.envs.battle_requiem.notation import DUEL_KEYS, EFFECT_KEYS
from cardzoo.envs.battle_requiem.reading import Reading
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    LEVY,
    MAX_DUEL,
    NO_CARD,
    NOBODY,
    PHASES,
    PICK,
    REWARD,
    TARGET,
    TRIBUTE,
    TRIM,
)
from cardzoo.envs.core.notation import as_mapping, as_whole, bad

ASKING = (CHOOSE, TARGET, PICK, LEVY, TRIBUTE)  # phases in which an effect asks
REWARDING = (REWARD, TRIM)
VERBS_OF = {PICK: (ROB, SALVAGE), LEVY: (LEVY_STEP,), TRIBUTE: (TRIBUTE_STEP,)}


# --- the duel


def read_duel(r: Reading) -> None:
    """Attacker's and defender's cards, and who defends."""
    s = r.s
    s.defender = NOBODY
    if not r.fits("duel", (ATTACK, DEFEND)):
        return
    entry = as_mapping("duel", r.get("duel"), DUEL_KEYS)
    if entry.get("defender") is None:
        raise bad("duel.defender", "is missing")
    defender = r.seat("duel.defender", entry["defender"])
    if not r.is_alive(defender):
        raise bad("duel.defender", f"is seat {defender}, which is eliminated")
    if not r.is_foe(int(s.active), defender):
        raise bad("duel.defender", f"is seat {defender}, which is no opponent of the active seat {int(s.active)}")
    if int(s.veil[defender]):
        raise bad("duel.defender", f"is seat {defender}, which is veiled")
    s.defender = defender
    attack = _committed(r, "attack", entry.get("attack"), 2 if r.phase == ATTACK else MAX_DUEL)
    defence = _committed(r, "defence", entry.get("defence"), 0 if r.phase == ATTACK else 2)
    if r.phase == DEFEND and not attack:
        raise bad("duel.attack", 'must have a card in the phase "defend"')
    s.n_att, s.n_dfn = len(attack), len(defence)
    s.att[: len(attack)] = attack
    s.dfn[: len(defence)] = defence


def _committed(r: Reading, name: str, value: Any, most: int) -> list[int]:
    """Face-down cards of one side: armaments, because armor and shields would have ended the duel."""
    key = f"duel.{name}"
    cards = [] if value is None else r.names.card_list(key, value)
    if len(cards) > most:
        raise bad(key, f'must have at most {most} cards in the phase "{PHASES[r.phase]}", not {len(cards)}')
    for card in cards:
        if not (ARMAMENT_BITS >> r.kind(card)) & 1:
            raise bad(key, f"has {r.names.card_ids[card]}, which is no armament")
        r.take("duel", card)
    return cards


# --- rewards


def read_fallen(r: Reading) -> None:
    """The seats whose reward is open."""
    if not r.fits("fallen", REWARDING):
        return
    seats = r.seat_list("fallen", r.get("fallen"))
    if not seats:
        raise bad("fallen", f'must name a seat in the phase "{PHASES[r.phase]}"')
    for seat in seats:
        if r.is_alive(seat) or not r.is_foe(int(r.s.active), seat):
            raise bad("fallen", f"names seat {seat}, which is no eliminated opponent of seat {int(r.s.active)}")
        r.s.fallen = int(r.s.fallen) | 1 << seat


def check_trim(r: Reading) -> None:
    """In the phase trim the first fallen hand has been taken, and there is something to discard."""
    if r.phase != TRIM:
        return
    s, active = r.s, int(r.s.active)
    taken = r.in_turn_order(r.seats_of(int(s.fallen)))[0]
    if int(s.n_hand[taken]):
        raise bad(f"seats.{taken}.hand", 'must be empty in the phase "trim", because the victor has taken it')
    if int(s.n_hand[active]) <= int(s.inv[active]):
        raise bad("phase", f"is trim, but the hand of seat {active} is not above its Inventory")


# --- the effect in progress


def read_effect(r: Reading) -> None:
    """The item or relic on the table, the step that asks, and what has been chosen for it."""
    s = r.s
    s.eff_card, s.eff_foe, s.eff_ally = NO_CARD, NOBODY, NOBODY
    if not r.fits("effect", ASKING + REWARDING if int(r.rules.reward_any) else ASKING, r.phase in ASKING):
        if r.phase in REWARDING and int(s.fallen) & (int(s.fallen) - 1):
            raise bad("fallen", "names several seats, but a duel eliminates only one")
        return
    entry = as_mapping("effect", r.get("effect"), EFFECT_KEYS)
    entry = {key: value for key, value in entry.items() if value is not None}
    if "card" not in entry:
        raise bad("effect", "must name the card")
    card = r.names.card("effect", entry["card"])
    if r.kind(card) not in (ITEM, RELIC):
        raise bad("effect", f"names {entry['card']}, which is no item or relic")
    r.take("effect", card)
    s.eff_card = card
    row = _effect_row(r)
    steps = r.rules.effects[row, : int(r.rules.num_steps[row])]
    _read_branch(r, entry, bool((steps[:, BRANCH] != 0).any()))
    # While a reward is open, the step may be over already, and with it the effect.
    last = len(steps) if r.phase in REWARDING else len(steps) - 1
    s.eff_step = as_whole("effect", entry.get("step", 0), 0, last)
    step = [0] * steps.shape[1] if int(s.eff_step) == len(steps) else steps[int(s.eff_step)].tolist()
    _check_step(r, step)
    _read_chosen(r, entry, step)
    _read_queue(r, entry, step)
    least, most = (1, step[N]) if r.phase in (PICK, LEVY, TRIBUTE) else (0, 0)
    s.eff_need = as_whole("effect", entry.get("need", most), least, most)


def _effect_row(r: Reading) -> int:
    """Row of the effect in progress."""
    card = int(r.s.eff_card)
    return ABILITY + int(r.s.char[int(r.s.active)]) if r.kind(card) == RELIC else card


def _read_branch(r: Reading, entry: dict[str, Any], branches: bool) -> None:
    """The branch chosen, where the effect has branches and the choice has been made."""
    branch = as_whole("effect", entry.get("branch", 0), 0, len(BRANCHES) - 1)
    if r.phase == CHOOSE:
        if not branches:
            raise bad("effect", "names a card whose effect has no branches to choose from")
        if branch:
            raise bad("effect", 'must have no branch in the phase "choose", which asks for it')
    elif bool(branch) != branches:
        raise bad("effect", "must say which branch was chosen" if branches else "has a branch, but there is no choice")
    r.s.eff_branch = branch


def _check_step(r: Reading, step: list[int]) -> None:
    """Refuse a step that does not lead to the phase."""
    if r.phase in REWARDING:
        return
    s, who = r.s, step[WHO]
    if r.phase == CHOOSE:
        fitting = int(s.eff_step) == 0
    elif step[BRANCH] not in (0, int(s.eff_branch)):
        fitting = False
    elif r.phase == TARGET:
        fitting = who in (ONE, ALLY)
    else:
        fitting = step[VERB] in VERBS_OF[r.phase]
    if not fitting:
        verb = VERBS[step[VERB] - 1]
        raise bad(
            "effect", f'is at step {int(s.eff_step)} ({verb}), which does not lead to the phase "{PHASES[r.phase]}"'
        )


def _read_chosen(r: Reading, entry: dict[str, Any], step: list[int]) -> None:
    """The opponent and the own member chosen; the one that the phase asks for is still open."""
    s, active = r.s, int(r.s.active)
    for name, who in (("foe", ONE), ("ally", ALLY)):
        if name not in entry:
            continue
        seat = r.seat("effect", entry[name])
        if r.is_foe(active, seat) != (who == ONE):
            raise bad("effect", f"names seat {seat} as {name}, which is on the other side")
        if r.phase == CHOOSE or (r.phase == TARGET and step[WHO] == who):
            raise bad("effect", f'must have no {name} in the phase "{PHASES[r.phase]}"')
        if name == "foe":
            s.eff_foe = seat
        else:
            s.eff_ally = seat
    if r.phase == PICK and step[WHO] == ONE:
        if "foe" not in entry:
            raise bad("effect", "must name the foe")
        if not r.is_alive(int(s.eff_foe)):
            raise bad("effect", f"names seat {int(s.eff_foe)} as foe, which is eliminated")


def _read_queue(r: Reading, entry: dict[str, Any], step: list[int]) -> None:
    """The seats still to answer."""
    s, active = r.s, int(r.s.active)
    answering = r.phase in (LEVY, TRIBUTE)
    default = [int(s.eff_foe)] if answering and step[WHO] == ONE and int(s.eff_foe) != NOBODY else []
    queue = r.seat_list("effect", entry["queue"]) if "queue" in entry else default
    if answering and not queue:
        raise bad("effect", "must name in queue the seats still to answer")
    if queue and not answering and not (r.phase in REWARDING and step[VERB] == LEVY_STEP and step[WHO] == ALL):
        raise bad("effect", f'must have no queue in the phase "{PHASES[r.phase]}" at this step')
    for seat in queue:
        if not r.is_alive(seat) or not r.is_foe(active, seat):
            raise bad("effect", f"names seat {seat} in queue, which is no living opponent of seat {active}")
    if queue != r.in_turn_order(queue):
        raise bad("effect", f"must name the queue in turn order from the active seat: {r.in_turn_order(queue)}")
    if queue and step[WHO] == ONE and queue != [int(s.eff_foe)]:
        raise bad("effect", "must have the foe alone in queue, because the step is for one opponent")
    s.eff_queue = sum(1 << seat for seat in queue)


def check_need(r: Reading) -> None:
    """Refuse an effect that asks for more cards than there are, once all cards have their places."""
    if r.phase not in (PICK, LEVY, TRIBUTE):
        return
    s, n = r.s, len(r.names.cards)
    step = r.rules.effects[_effect_row(r), int(s.eff_step)].tolist()
    if r.phase != PICK:
        cards = s.hand[r.in_turn_order(r.seats_of(int(s.eff_queue)))[0], :n]
    else:
        cards = s.hand[int(s.eff_foe), :n] if step[VERB] == ROB else s.in_disc[:n]
    kinds = step[STEP_KINDS] if step[VERB] in (SALVAGE, LEVY_STEP) else -1
    held = sum(int(count) for card, count in enumerate(cards) if (kinds >> r.kind(card)) & 1)
    need = int(s.eff_need)
    unasked = r.phase == LEVY and held == 0 and need == step[N]  # it could only suffer
    if 0 < held < need or unasked:
        raise bad("effect", f"needs {need} cards where there are {held}, so the rules would not ask for them")

"""The card file of Battle Requiem: the reference set, its tables, the steps of effects, each mistake's message."""

from __future__ import annotations

import pickle
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cardzoo.envs.battle_requiem import cards as c
from cardzoo.envs.battle_requiem.card_file import CARDS_YAML, RequiemCardFile, load
from cardzoo.envs.battle_requiem.steps import FORMS, PART_SIGNS, Step, StepList, parse_step
from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import CardError

REFERENCE = CARDS_YAML.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference() -> CardSet:
    return load()


def parse(text: str) -> CardSet:
    return parse_cards(RequiemCardFile, text, "deck.yaml")


def changed(old: str, new: str) -> str:
    """The reference file with one piece of text replaced, which must be there exactly once."""
    assert REFERENCE.count(old) == 1, old
    return REFERENCE.replace(old, new)


def card(kind: str = "melee", **fields: object) -> dict:
    """A valid card of a kind, with other fields set or (by None) left out."""
    given: dict[str, object] = {"id": "it", "name": "It", "kind": kind, "copies": 1}
    if kind in ("melee", "missile", "spell", "armor"):
        given["brn"] = 1
    if kind == "item":
        given["effect"] = ["turns 1"]
    given.update(fields)
    return {name: value for name, value in given.items() if value is not None}


def character(number: int = 9, **fields: object) -> dict:
    """A valid character, with other fields set or (by None) left out."""
    given: dict[str, object] = {"id": f"hero_{number}", "name": f"Hero {number}", "realm": "land", "age": 20, "hp": 10}
    given |= {"inventory": 2, "ability": {"name": "Nap", "effect": ["heal 1 self"]}, **fields}
    return {name: value for name, value in given.items() if value is not None}


def file_with(*cards: object, characters: list | None = None, **fields: object) -> str:
    """A card file of 20 plain cards and the given ones after them, and of two characters and the given ones."""
    filler = {"id": "filler", "name": "Filler", "kind": "spell", "copies": 20, "brn": 1}
    heroes = [character(0), character(1), *(characters or [])]
    document = {"tracker_max": 30, "types": [filler, *cards], "characters": heroes, **fields}
    return yaml.safe_dump(document, sort_keys=False)


def heroes(count: int, **fields: object) -> list[dict]:
    return [character(number, **fields) for number in range(2, 2 + count)]


# --- the reference set (specification, section 4)


def test_reference_counts(reference: CardSet) -> None:
    copies = Counter()
    for entry in reference:
        copies[entry.kind] += entry.copies
    assert copies == {"melee": 13, "missile": 12, "spell": 13, "armor": 6, "shield": 3, "item": 12, "relic": 6}
    assert len(reference) == 29
    assert reference.counts.sum() == 65
    assert len(reference.file.characters) == 18
    assert reference.file.realm_sizes() == {"emberfell": 6, "thornwood": 6, "glassmere": 6}
    assert reference.file.tracker_max == 30


def test_reference_loads_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load()


@pytest.mark.parametrize(
    ("number", "card_id", "row"),
    [
        (0, "dagger", [c.MELEE, 2, 2]),
        (4, "greataxe", [c.MELEE, 2, 8]),
        (7, "longbow", [c.MISSILE, 4, 5]),
        (13, "meteor", [c.SPELL, 2, 10]),
        (15, "chain_mail", [c.ARMOR, 2, 7]),
        (17, "golden_shield", [c.SHIELD, 3, 0]),
        (19, "hourglass", [c.ITEM, 2, 0]),
        (28, "rainbow_relic", [c.RELIC, 6, 0]),
    ],
)
def test_card_rows(reference: CardSet, number: int, card_id: str, row: list[int]) -> None:
    assert reference.ids[number] == card_id
    assert c.tables(reference).types[number].tolist() == row


@pytest.mark.parametrize(
    ("number", "character_id", "row", "modifiers"),
    [
        (0, "ash_squire", [0, 15, 20, 5], {c.ATTACK_MELEE: 2}),
        (3, "forge_warden", [0, 46, 21, 5], {c.ATTACK_MELEE: 1, c.DEFEND_ARMOR: 2}),
        (8, "briar_broker", [1, 38, 20, 6], {c.ATTACK_TOTAL: 3, c.DEFEND_MISSILE: 1, c.HEAL_MODIFIER: 2}),
        (9, "wolf_matron", [1, 52, 20, 5], {c.ATTACK_MELEE: 2, c.DEFEND_MISSILE: -1, c.DEFEND_SPELL: -1}),
        (11, "elder_treant", [1, 310, 20, 4], {c.ATTACK_TOTAL: 2, c.DEFEND_TOTAL: 2}),
        (17, "tide_dragon", [2, 999, 21, 5], {c.ATTACK_TOTAL: 3}),
    ],
)
def test_character_rows(
    reference: CardSet, number: int, character_id: str, row: list[int], modifiers: dict[int, int]
) -> None:
    tables = c.tables(reference)
    assert reference.file.characters[number].id == character_id
    assert tables.characters[number].tolist() == row
    assert {key: value for key, value in enumerate(tables.modifiers[number].tolist()) if value} == modifiers


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (18, [[c.HEAL, 0, c.SELF, 5, 0, 0, 0]]),
        (22, [[c.RECLAIM, 0, 0, 1, 0, 0, 0], [c.TURNS, 0, 0, 1, 0, 0, 0]]),
        (24, [[c.BOOST, 0, c.SELF, 4, 0, 0, c.ATTACKER], [c.TURNS, 0, 0, 1, 0, 0, 0]]),
        (27, [[c.HEAL, 1, c.ALLY, 5, 0, 0, 0], [c.HARM, 2, c.ONE, 4, 0, 0, 0]]),
        (28, []),
        (c.ABILITY + 1, [[c.LEVY, 0, c.ONE, 2, c.ARMAMENT_BITS, 7, 0]]),
        (c.ABILITY + 12, [[c.RESIZE, 0, c.ONE, -1, 0, 0, 0]]),
        (c.ABILITY + 16, [[c.PAY, 0, 0, 1, 0, 0, 0], [c.BURN, 0, c.ONE, 2, c.ARMAMENT_BITS, 0, 0]]),
    ],
)
def test_encoded_effects(reference: CardSet, row: int, expected: list[list[int]]) -> None:
    tables = c.tables(reference)
    assert tables.num_steps[row] == len(expected)
    assert tables.effects[row, : len(expected)].tolist() == expected
    assert not tables.effects[row, len(expected) :].any()


def test_canonical_texts_are_those_of_the_file(reference: CardSet) -> None:
    document = yaml.safe_load(REFERENCE)
    written = [entry.get("effect", []) for entry in document["types"]]
    assert [[str(step) for step in entry.effect] for entry in reference] == written
    written = [entry["ability"]["effect"] for entry in document["characters"]]
    assert [[str(step) for step in entry.ability.effect] for entry in reference.file.characters] == written


def test_every_verb_but_those_of_custom_sets_is_used(reference: CardSet) -> None:
    effects = [entry.effect for entry in reference] + [entry.ability.effect for entry in reference.file.characters]
    assert set(c.VERBS) == {step.verb for effect in effects for step in effect}


def test_features(reference: CardSet) -> None:
    names = reference.feature_names
    assert reference.features.shape == (29, len(names))
    assert reference.features.dtype == np.float32
    assert np.abs(reference.features).max() <= 2
    assert len({row.tobytes() for row in reference.features}) == 29, "two cards look alike"
    vial = dict(zip(names, reference.features[reference.index("twin_vial")].tolist(), strict=True))
    held = {name: round(value, 3) for name, value in vial.items() if value}
    assert held == {"kind_item": 1.0, "copies": 0.25, "heal": 0.5, "harm": 0.4}


def test_pickled_set_is_the_same(reference: CardSet) -> None:
    copy = pickle.loads(pickle.dumps(reference))
    assert copy == reference
    assert copy.file == reference.file


# --- content hash


def test_layout_of_the_file_does_not_change_the_hash(reference: CardSet) -> None:
    document = yaml.safe_load(REFERENCE)
    document["types"] = [dict(reversed(entry.items())) for entry in document["types"]]
    again = parse("# another comment\n" + yaml.safe_dump(document))
    assert again == reference


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("boost attack +4 self", "boost  attack 4 self"),
        ("levy 2 armament 7 one", "levy 2 spell+missile+melee 7 one"),
        ("modifiers: {attack_total: 3}, ", "modifiers: {heal: 0, attack_total: 3}, "),
    ],
)
def test_another_spelling_does_not_change_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash == reference.hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[draw 3 self]", "[draw 2 self]"),
        ("brn: 1}\n  - {id: shortbow", "brn: 2}\n  - {id: shortbow"),
        ("tracker_max: 30", "tracker_max: 31"),
        ("age: 999,", "age: 998,"),
        ("name: Toll", "name: Tax"),
    ],
)
def test_content_changes_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash != reference.hash


# --- steps


def some_kinds() -> st.SearchStrategy[int]:
    return st.integers(1, (1 << c.NUM_KINDS) - 1)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    verb = draw(st.sampled_from(c.VERBS))
    form = FORMS[verb]
    values: dict[str, object] = {}
    if "n" in form.parts:
        values["n"] = draw(st.integers(*form.n).filter(bool))
    if "m" in form.parts:
        values["m"] = draw(st.integers(1, 30))
    if "kinds" in form.parts:
        values["kinds"] = draw(some_kinds())
    if "role" in form.parts:
        values["role"] = draw(st.sampled_from(c.ROLES[1:]))
    if "who" in form.parts:
        values["who"] = draw(st.sampled_from(form.whos))
    return Step(verb, draw(st.sampled_from(c.BRANCHES)), **values)


@given(steps())
def test_text_of_a_step_parses_to_it(step: Step) -> None:
    assert parse_step(str(step)) == step
    assert len(c.step_row(step)) == c.STEP_COLUMNS


WORDS = (*c.VERBS, *c.BRANCHES, *c.WHOS, *c.ROLES, *c.KINDS, *c.GROUPS, "1", "+2", "-3", "99", "melee+spell", "+")


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)))
@example("first")
@example("heal ٣ self")
@example("levy 1 melee++spell 3 one")
def test_any_text_is_a_step_or_an_error(text: str) -> None:
    try:
        step = parse_step(text)
    except ValueError as problem:
        message = str(problem)
    else:
        message = '"'
        assert parse_step(str(step)) == step
    assert message.startswith(("must be ", '"'))
    assert "\n" not in message


@given(st.lists(st.one_of(steps(), st.text(), st.integers()), max_size=6))
def test_any_list_is_an_effect_or_an_error(value: list) -> None:
    try:
        effect = StepList().check(value)
    except ValueError:
        return
    assert 1 <= len(effect) <= c.MAX_STEPS
    assert StepList().check([str(step) for step in effect]) == effect


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("heal 5 self", Step("heal", who="self", n=5)),
        ("second harm 4 one", Step("harm", "second", "one", 4)),
        ("levy 2 armament 7 one", Step("levy", who="one", n=2, kinds=7, m=7)),
        ("boost attack +4 self", Step("boost", who="self", n=4, role="attack")),
        ("salvage 1 guard", Step("salvage", n=1, kinds=24)),
        ("burn 2 melee+spell all", Step("burn", who="all", n=2, kinds=5)),
        ("shatter any one", Step("shatter", who="one", kinds=127)),
        ("turns 2", Step("turns", n=2)),
        ("redraw all", Step("redraw", who="all")),
        ("rob 2 one", Step("rob", who="one", n=2)),
        ("resize -1 one", Step("resize", who="one", n=-1)),
        ("boost defend -20 team", Step("boost", who="team", n=-20, role="defend")),
    ],
)
def test_steps(text: str, step: Step) -> None:
    assert parse_step(text) == step
    assert str(step) == text


def test_every_verb_has_a_form() -> None:
    assert tuple(FORMS) == c.VERBS
    for form in FORMS.values():
        assert ("who" in form.parts) == bool(form.whos)
        assert ("n" in form.parts) == (form.n != (0, 0))
        assert set(form.parts) <= set(PART_SIGNS)


ALL_VERBS = (
    "heal, harm, drain, pay, draw, redraw, steal, rob, tribute, levy, shatter, burn, reveal, salvage, reclaim, swap, "
    "turns, skip, veil, boost and resize"
)
ALL_KINDS = (
    "melee, missile, spell, armor, shield, item, relic, armament, guard or any (or several joined by +, none named "
    "twice)"
)


@pytest.mark.parametrize("value", [5, None, "", "  ", ["heal 5 self"]])
def test_step_that_is_no_text(value: object) -> None:
    with pytest.raises(ValueError, match=r'^must be a step such as "heal 5 self", not '):
        parse_step(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("haal 5 self", f" has an unknown verb; allowed are {ALL_VERBS} (did you mean heal?)"),
        ("first", f" has no verb; allowed are {ALL_VERBS}"),
        (
            "heal",
            ': the number of heal must be a whole number from 1 to 30, but nothing is there; the form is "heal N who"',
        ),
        ("heal 31 self", ': the number of heal must be a whole number from 1 to 30, not "31"'),
        ("draw 9 self", ': the number of draw must be a whole number from 1 to 8, not "9"'),
        ("reclaim 4", ': the number of reclaim must be a whole number from 1 to 3, not "4"'),
        ("turns ten", ': the number of turns must be a whole number from 1 to 9, not "ten"'),
        ("skip 4 one", ': the number of skip must be a whole number from 1 to 3, not "4"'),
        ("levy 1 any 31 one", ': the HP of levy must be a whole number from 1 to 30, not "31"'),
        (
            "boost attack 0 self",
            ': the number of boost must be a whole number from -20 to 20 other than 0, not "0"',
        ),
        ("resize 12 one", ': the number of resize must be a whole number from -11 to 11 other than 0, not "12"'),
        ("boost atack 1 self", ': the role of boost must be attack or defend, not "atack" (did you mean attack?)'),
        ("heal 5 one", ': the target of heal must be self, ally or team, not "one"'),
        ("harm 5 self", ': the target of harm must be one or all, not "self"'),
        ("swap all", ': the target of swap must be one, not "all"'),
        ("redraw me", ': the target of redraw must be self, ally, team, one or all, not "me"'),
        ("shatter gard one", f': the kinds of shatter must be {ALL_KINDS}, not "gard" (did you mean guard?)'),
        ("shatter armament+melee one", f': the kinds of shatter must be {ALL_KINDS}, not "armament+melee"'),
        (
            "salvage 1",
            f': the kinds of salvage must be {ALL_KINDS}, but nothing is there; the form is "salvage N kinds"',
        ),
        ("pay 1 one", ': nothing is allowed after that step, but "one" is there; the form is "pay N"'),
    ],
)
def test_bad_step(text: str, problem: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_step(text)
    assert str(caught.value) == f'"{text}"{problem}'


# --- what is refused, and how it is said: (what is wrong, file, the whole message)

DAGGER = 'deck.yaml: card "dagger" (types[0]): '
IT = 'deck.yaml: card "it" (types[1]): '
ALL_MODIFIERS = (
    "attack_melee, attack_missile, attack_spell, attack_total, defend_melee, defend_missile, defend_spell, "
    "defend_armor, defend_total and heal"
)

BROKEN = [
    (
        "syntax",
        changed("copies: 2, brn: 2}", "copies: 2, brn: 2"),
        "deck.yaml, line 22, column 5: the YAML cannot be read: expected ',' or '}', but got '{'.",
    ),
    (
        "duplicate key",
        changed("copies: 2, brn: 2}", "copies: 2, copies: 2}"),
        'deck.yaml, line 21, column 56: the YAML cannot be read: key "copies" is there twice.',
    ),
    ("empty", "# nothing but a comment\n", "deck.yaml: the file is empty; a mapping (key: value) is needed."),
    ("list", "- a\n", "deck.yaml: the top level must be a mapping (key: value), not a list."),
    ("no types", "tracker_max: 30\ncharacters: []\n", 'deck.yaml: field "types" is missing.'),
    ("no characters", "tracker_max: 30\ntypes: []\n", 'deck.yaml: field "characters" is missing.'),
    ("no tracker", "types: []\ncharacters: []\n", 'deck.yaml: field "tracker_max" is missing.'),
    (
        "tracker too long",
        file_with(tracker_max=100),
        'deck.yaml: field "tracker_max" must be a whole number from 1 to 99, not 100.',
    ),
    ("types no list", file_with(types=3), 'deck.yaml: field "types" must be a list, not 3.'),
    (
        "card no mapping",
        file_with("dagger"),
        'deck.yaml: types[1]: must be a mapping (key: value), not "dagger".',
    ),
    (
        "unknown field of the file",
        file_with(charakters=[]),
        'deck.yaml: field "charakters" is unknown; allowed are types, tracker_max and characters (did you mean '
        "characters?).",
    ),
    (
        "unknown field of a card",
        changed("copies: 2, brn: 2}", "copies: 2, bnr: 2}"),
        DAGGER + 'field "bnr" is unknown; allowed are id, name, copies, kind, brn and effect (did you mean brn?).',
    ),
    (
        "unknown field of a character",
        file_with(characters=[character(mood="good")]),
        'deck.yaml: field "characters[2].mood" is unknown; allowed are id, name, realm, age, hp, inventory, modifiers '
        "and ability.",
    ),
    (
        "bad kind",
        file_with(card("mele", brn=1)),
        IT + 'field "kind" must be melee, missile, spell, armor, shield, item or relic, not "mele" (did you mean '
        "melee?).",
    ),
    ("missing brn", file_with(card(brn=None)), IT + 'field "brn" is missing, and a melee card needs it.'),
    (
        "armor without brn",
        file_with(card("armor", brn=None)),
        IT + 'field "brn" is missing, and an armor card needs it.',
    ),
    ("brn of a shield", file_with(card("shield", brn=3)), IT + 'field "brn" is not allowed on a shield.'),
    ("brn of an item", file_with(card("item", brn=3)), IT + 'field "brn" is not allowed on an item.'),
    ("brn out of range", file_with(card(brn=100)), IT + 'field "brn" must be a whole number from 0 to 99, not 100.'),
    ("brn as text", file_with(card(brn="3")), IT + 'field "brn" must be a whole number from 0 to 99, not "3".'),
    ("missing effect", file_with(card("item", effect=None)), IT + 'field "effect" is missing, and an item needs it.'),
    (
        "effect of an armament",
        file_with(card("missile", effect=["turns 1"])),
        IT + 'field "effect" is not allowed on a missile card.',
    ),
    (
        "effect of a relic",
        file_with(card("relic", effect=["turns 1"])),
        IT + 'field "effect" is not allowed on a relic, because it uses the ability of its user.',
    ),
    (
        "effect no list",
        file_with(card("item", effect="turns 1")),
        IT + 'field "effect" must be a list of steps, not "turns 1".',
    ),
    ("no steps", file_with(card("item", effect=[])), IT + 'field "effect" must have 1 to 4 steps, not 0.'),
    (
        "too many steps",
        file_with(card("item", effect=["turns 1"] * 5)),
        IT + 'field "effect" must have 1 to 4 steps, not 5.',
    ),
    (
        "one branch",
        file_with(card("item", effect=["second turns 1", "pay 1"])),
        IT + 'field "effect" must have steps of both branches, first and second, or of none, not only second.',
    ),
    (
        "bad step of a card",
        file_with(card("item", effect=["harm 4 self"])),
        IT + 'field "effect": "harm 4 self": the target of harm must be one or all, not "self".',
    ),
    (
        "bad step of an ability",
        file_with(characters=[character(ability={"name": "Nap", "effect": ["swap"]})]),
        'deck.yaml: field "characters[2].ability.effect": "swap": the target of swap must be one, but nothing is '
        'there; the form is "swap who".',
    ),
    (
        "no ability",
        file_with(characters=[character(ability=None)]),
        'deck.yaml: field "characters[2].ability" is missing.',
    ),
    (
        "copies",
        file_with(card(copies=81)),
        IT + 'field "copies" must be a whole number from 1 to 80, not 81.',
    ),
    ("duplicate card id", file_with(card(), card()), 'deck.yaml: card id "it" is used twice (types[1] and types[2]).'),
    (
        "duplicate card name",
        file_with(card(), card(id="other")),
        'deck.yaml: card "other": name "It" is taken by "it".',
    ),
    (
        "too many types",
        file_with(*(card(id=f"card_{number}", name=f"Card {number}") for number in range(48))),
        'deck.yaml: field "types" must list 1 to 48 card types, not 49.',
    ),
    ("no cards", file_with(types=[]), 'deck.yaml: field "types" must list 1 to 48 card types, not 0.'),
    (
        "too many cards",
        file_with(card(copies=61)),
        "deck.yaml: the copies of all cards must add up to at most 80, not 81.",
    ),
    (
        "no armament",
        file_with(types=[card("armor", copies=20)]),
        'deck.yaml: field "types" must list at least one armament (melee, missile or spell).',
    ),
    (
        "too few cards",
        file_with(types=[card(copies=9)], characters=heroes(2, inventory=5)),
        "deck.yaml: the copies of all cards must add up to at least 11, the two largest hands and the card turned up, "
        "not 9.",
    ),
    (
        "one character",
        file_with(characters=[]).split("- id: hero_1")[0],
        'deck.yaml: field "characters" must list 2 to 24 characters, not 1.',
    ),
    (
        "too many characters",
        file_with(characters=heroes(23)),
        'deck.yaml: field "characters" must list 2 to 24 characters, not 25.',
    ),
    (
        "duplicate character id",
        file_with(characters=[character(1, name="Other")]),
        'deck.yaml: character id "hero_1" is used twice (characters[1] and characters[2]).',
    ),
    (
        "duplicate character name",
        file_with(characters=[character(name="Hero 1")]),
        'deck.yaml: character "hero_9": name "Hero 1" is taken by "hero_1".',
    ),
    (
        "hp above the tracker",
        file_with(characters=[character(hp=31)]),
        'deck.yaml: character "hero_9": field "hp" must be a whole number from 1 to 30 (tracker_max), not 31.',
    ),
    (
        "hp",
        file_with(characters=[character(hp=0)]),
        'deck.yaml: field "characters[2].hp" must be a whole number from 1 to 99, not 0.',
    ),
    (
        "inventory",
        file_with(characters=[character(inventory=9)]),
        'deck.yaml: field "characters[2].inventory" must be a whole number from 1 to 8, not 9.',
    ),
    (
        "age",
        file_with(characters=[character(age=10_000)]),
        'deck.yaml: field "characters[2].age" must be a whole number from 0 to 9999, not 10000.',
    ),
    (
        "realms",
        file_with(characters=[character(number, realm=f"land_{number}") for number in range(2, 8)]),
        "deck.yaml: the characters must be of at most 6 realms, not 7.",
    ),
    (
        "modifiers no mapping",
        file_with(characters=[character(modifiers=[1])]),
        'deck.yaml: field "characters[2].modifiers" must be a mapping (key: value), not [1].',
    ),
    (
        "unknown modifier",
        file_with(characters=[character(modifiers={"atack_melee": 1})]),
        f'deck.yaml: field "characters[2].modifiers" has an unknown key "atack_melee"; allowed are {ALL_MODIFIERS} '
        "(did you mean attack_melee?).",
    ),
    (
        "modifier out of range",
        file_with(characters=[character(modifiers={"heal": 21})]),
        'deck.yaml: field "characters[2].modifiers" has a wrong value: heal must be a whole number from -20 to 20, not '
        "21.",
    ),
]


@pytest.mark.parametrize(("text", "message"), [entry[1:] for entry in BROKEN], ids=[entry[0] for entry in BROKEN])
def test_broken_file_is_refused_with_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse(text)
    assert str(caught.value) == message
    assert caught.value.__context__ is None or caught.value.__suppress_context__, "the user would see two errors"


# --- custom sets


def test_set_of_another_size_loads_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"^battle_requiem: the card set has 20 cards and 2 characters; the printed"):
        card_set = parse(file_with())
    assert len(card_set) == 1


@pytest.mark.filterwarnings("ignore:battle_requiem")
def test_limits_are_allowed() -> None:
    """What stands exactly on a limit is a valid card set, and its tables hold it."""
    fills = [card(id=f"card_{number}", name=f"Card {number}") for number in range(46)]
    item = card("item", copies=14, effect=["first boost attack -20 ally", "second resize +11 all", "turns 9", "pay 30"])
    people = [
        character(number, realm=f"land_{number % 6}", age=9999, hp=99, inventory=8, modifiers={"heal": -20})
        for number in range(2, 24)
    ]
    people += [character(number, realm="land_0") for number in range(2)]
    document = yaml.safe_load(file_with(item, *fills, tracker_max=99))
    card_set = parse(yaml.safe_dump(document | {"characters": people}))
    tables = c.tables(card_set)
    assert tables.types.shape == (48, c.TYPE_COLUMNS)
    assert tables.types[:, c.COPIES].sum() == 80
    assert tables.characters.shape == (24, c.CHARACTER_COLUMNS)
    assert tables.characters[:, c.REALM].max() == 5
    assert tables.modifiers.min() == -20
    assert tables.num_steps[1] == c.MAX_STEPS
    assert tables.tracker_max == 99


def test_smallest_set_is_allowed() -> None:
    text = file_with(types=[card(copies=5)])
    with pytest.warns(UserWarning, match="5 cards and 2 characters"):
        assert parse(text).counts.sum() == 5


def test_users_file_is_read_by_path(tmp_path: Path, reference: CardSet) -> None:
    path = tmp_path / "my_deck.yaml"
    path.write_text(REFERENCE, encoding="utf-8")
    assert load(path) == load(str(path)) == reference
    assert load(path).source == str(path)
    assert reference.source == "built-in"

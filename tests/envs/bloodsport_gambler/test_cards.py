"""The card file of Bloodsport Gambler: the reference set, its tables, the words of effects, each mistake's message."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cardzoo.envs.bloodsport_gambler import cards as c
from cardzoo.envs.bloodsport_gambler.card_file import CARDS_YAML, GamblerCardFile, load
from cardzoo.envs.bloodsport_gambler.words import (
    ACTION_WHOS,
    FORMS,
    SECRET,
    SECRET_WHOS,
    Effect,
    EffectList,
    check_fit,
    parse_effect,
)
from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import CardError

REFERENCE = CARDS_YAML.read_text(encoding="utf-8")
LISTS = ("types", "fighters", "weapons", "secrets")


@pytest.fixture(scope="module")
def reference() -> CardSet:
    return load()


def parse(text: str) -> CardSet:
    return parse_cards(GamblerCardFile, text, "deck.yaml")


def changed(old: str, new: str) -> str:
    """The reference file with one piece of text replaced, which must be there exactly once."""
    assert REFERENCE.count(old) == 1, old
    return REFERENCE.replace(old, new)


def small() -> dict[str, list[dict[str, Any]]]:
    """A set of one type of each: 28 of one action card, and so on."""
    return {
        "types": [{"id": "it", "name": "It", "copies": 28, "kind": "special", "risk": "none", "effects": ["coin(1)"]}],
        "fighters": [{"id": "man", "name": "Man", "copies": 18, "rank": 1, "str": 1, "dex": 1, "life": 1}],
        "weapons": [{"id": "axe", "name": "Axe", "copies": 18, "type": "STR", "damage": 1}],
        "secrets": [{"id": "hum", "name": "Hum", "copies": 12, "effects": ["ties(left)"]}],
    }


def file_with(**changes: object) -> str:
    """That set with fields of its cards set or (by `...`) left out: `types__risk=3` changes the action card."""
    document: dict[str, Any] = small()
    for key, value in changes.items():
        name, _, field = key.partition("__")
        if not field:
            document[name] = value
        elif value is ...:
            del document[name][0][field]
        else:
            document[name][0][field] = value
    return yaml.safe_dump(document, sort_keys=False)


# --- the reference set


def test_reference_counts(reference: CardSet) -> None:
    file = reference.file
    assert [len(getattr(file, name)) for name in LISTS] == [20, 18, 18, 12]
    assert [sum(card.copies for card in getattr(file, name)) for name in LISTS] == [28, 18, 18, 12]
    copies: Counter[str] = Counter()
    for card in reference:
        copies[card.kind] += card.copies
    assert copies == {"discover": 9, "sabotage": 11, "react": 5, "special": 3}
    assert Counter(fighter.rank for fighter in file.fighters) == {1: 6, 2: 6, 3: 6}
    assert Counter(weapon.type for weapon in file.weapons) == {"BEST": 3, "STR": 6, "DEX": 6, "WORST": 3}


@pytest.mark.parametrize(
    ("table", "number", "card_id", "row"),
    [
        ("actions", 0, "bribe_the_armorer", [c.DISCOVER, 2, 2, 1]),
        ("actions", 1, "peer_through_the_grate", [c.DISCOVER, 2, c.NO_RISK, 1]),
        ("actions", 2, "read_the_bones", [c.DISCOVER, 1, 1, 2]),
        ("actions", 7, "bedchamber_scorpion", [c.SABOTAGE, 1, 5, 1]),
        ("actions", 14, "hurl_flagon", [c.REACT, 2, 3, 1]),
        ("actions", 19, "hags_bargain", [c.SPECIAL, 1, 1, 2]),
        ("fighters", 0, "deceased_mantrasuly", [1, 2, 1, 4, 1]),
        ("fighters", 4, "tavern_bruiser", [1, 4, 0, 3, 1]),
        ("fighters", 7, "putrid_snake_beast", [2, 3, 4, 2, 1]),
        ("fighters", 9, "chain_widow", [2, 1, 4, 4, 1]),
        ("fighters", 12, "insect", [3, 3, 5, 3, 1]),
        ("fighters", 17, "bone_colossus", [3, 5, 1, 5, 1]),
        ("weapons", 0, "scimitar", [c.TYPE_BEST, 2, 1]),
        ("weapons", 3, "triple_axe", [c.TYPE_STR, 4, 1]),
        ("weapons", 11, "rapier", [c.TYPE_DEX, 2, 1]),
        ("weapons", 17, "broken_bottle", [c.TYPE_WORST, 2, 1]),
        ("secrets", 0, "mutated_by_the_mirage", [1, 1]),
        ("secrets", 5, "debt_to_the_syndicate", [2, 1]),
        ("secrets", 11, "forgotten_training", [1, 1]),
    ],
)
def test_rows(reference: CardSet, table: str, number: int, card_id: str, row: list[int]) -> None:
    cards = getattr(reference.file, "types" if table == "actions" else table)
    assert cards[number].id == card_id
    assert getattr(c.tables(reference), table)[number].tolist() == row


NONE = [0, 0, 0, 0]


def test_encoded_effects_of_actions(reference: CardSet) -> None:
    assert c.tables(reference).action_effects.tolist() == [
        [[c.LOOK, c.LOOK_WEAPON, 2, 0], NONE],
        [[c.LOOK, c.LOOK_WEAPON, 1, 0], NONE],
        [[c.LOOK, c.LOOK_SECRET, 1, 0], [c.TIME, 0, 1, 0]],
        [[c.LOOK, c.LOOK_FIGHT, 0, 0], NONE],
        [[c.LOOK, c.LOOK_FIGHTER, 0, 0], NONE],
        [[c.LOOK, c.LOOK_ANY, 3, 0], NONE],
        [[c.STAT, c.TARGET, 1, 1], NONE],
        [[c.WOUND, c.TARGET, 3, 0], NONE],
        [[c.DICE, c.TARGET, -1, 0], NONE],
        [[c.ADD_DAMAGE, c.TARGET, -1, 0], NONE],
        [[c.ADD_DAMAGE, c.TARGET, 2, 0], NONE],
        [[c.SWAP_WEAPONS, c.NO_ONE, 0, 0], NONE],
        [[c.REPLACE_WEAPON, c.TARGET, 0, 0], NONE],
        [[c.WEAPON_TYPE, c.TARGET, c.TYPE_WORST, 0], NONE],
        [[c.REROLL, c.TARGET, 0, 0], NONE],
        [[c.SCORE, c.TARGET, -3, 0], NONE],
        [[c.HEAL, c.TARGET, 2, 0], NONE],
        [[c.COIN, c.NO_ONE, 2, 0], NONE],
        [[c.DRAW, c.NO_ONE, 2, 0], NONE],
        [[c.REPLACE_SECRET, c.NO_ONE, 0, 0], [c.GUARD, c.NO_ONE, -1, 0]],
    ]


def test_encoded_effects_of_secrets(reference: CardSet) -> None:
    assert c.tables(reference).secret_effects.tolist() == [
        [[c.DICE, c.LEFT_ONE, 1, 0], NONE],
        [[c.DICE, c.RIGHT_ONE, 1, 0], NONE],
        [[c.DICE, c.LEFT_ONE, -1, 0], NONE],
        [[c.DICE, c.RIGHT_ONE, -1, 0], NONE],
        [[c.SCORE, c.UNDERDOG, 1, 0], NONE],
        [[c.SCORE, c.FAVOURITE, -1, 0], [c.ADD_DAMAGE, c.FAVOURITE, -1, 0]],
        [[c.SCORE, c.WOUNDED, -1, 0], NONE],
        [[c.ADD_LIFE, c.LEFT_ONE, 2, 0], NONE],
        [[c.ADD_LIFE, c.RIGHT_ONE, 2, 0], NONE],
        [[c.WOUND, c.BOTH, 1, 0], NONE],
        [[c.TIES, c.LEFT_ONE, 0, 0], NONE],
        [[c.STAT, c.RIGHT_ONE, -1, 1], NONE],
    ]


@pytest.mark.parametrize("name", ["types", "secrets"])
def test_canonical_texts_are_those_of_the_file(reference: CardSet, name: str) -> None:
    written = [card["effects"] for card in yaml.safe_load(REFERENCE)[name]]
    assert [[str(effect) for effect in card.effects] for card in getattr(reference.file, name)] == written


def test_every_verb_is_used(reference: CardSet) -> None:
    cards = [*reference.file.types, *reference.file.secrets]
    assert {effect.verb for card in cards for effect in card.effects} == set(c.VERBS)


def test_features(reference: CardSet) -> None:
    assert reference.features.shape == (20, len(reference.feature_names))
    assert reference.features.dtype == np.float32
    assert np.abs(reference.features).max() <= 2
    assert len({row.tobytes() for row in reference.features}) == 20, "two cards look alike"
    row = reference.features[reference.index("sorcerous_succor")].tolist()
    held = {name: round(value, 3) for name, value in zip(reference.feature_names, row, strict=True) if value}
    assert held == {
        "kind_sabotage": 1.0,
        "copies": 0.5,
        "risk": 0.333,
        "who_target": 1.0,
        "stat_str": 0.333,
        "stat_dex": 0.333,
    }


def test_pickled_set_is_the_same(reference: CardSet) -> None:
    copy = pickle.loads(pickle.dumps(reference))
    assert copy == reference
    assert copy.file == reference.file


# --- content hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"damage(target, +2)"', '" damage ( target,2 ) "'),
        ("[swap_weapons]", "[swap_weapons()]"),
        ('"stat(target, str +1, dex +1)"', "{verb: stat, who: target, str: 1, dex: 1}"),
        ("name: Rapier,", "name: Rapier, copies: 1,"),
        ("types:\n  # Discover", "# another comment\ntypes:"),
    ],
)
def test_another_spelling_does_not_change_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)) == reference


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"damage(target, +2)"', '"damage(target, +1)"'),
        ("name: Rapier,", "name: Epee,"),
        ("rank: 3, str: 3, dex: 5", "rank: 3, str: 3, dex: 6"),
        ("risk: 5", "risk: none"),
    ],
)
def test_content_changes_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash != reference.hash


# --- effects


@st.composite
def effects(draw: st.DrawFn) -> Effect:
    verb = draw(st.sampled_from(c.VERBS))
    values: dict[str, Any] = {}
    parts = FORMS[verb].parts
    while len(values) < len(parts):
        part = parts[len(values)]
        words = [*part.words.values()]
        values[part.field] = draw(st.sampled_from(words) if words else st.integers(part.low, part.high))
        parts = FORMS[verb].parts_after(values.get("scope"))
    return Effect(verb, **values)


@given(effects())
def test_text_and_mapping_of_an_effect_parse_to_it(effect: Effect) -> None:
    assert parse_effect(str(effect)) == effect
    assert len(c.effect_row(effect)) == c.EFFECT_COLUMNS
    mapping: dict[str, Any] = {"verb": effect.verb}
    for part in FORMS[effect.verb].parts_after(effect.scope):
        value = getattr(effect, part.field)
        mapping[part.key] = part.write(value) if part.words else value
    assert parse_effect(mapping) == effect


WORDS = (*c.VERBS, *c.SCOPES, *c.WHOS, *c.WEAPON_TYPES, "high", "str +1", "dex", "(", ")", ",", "1", "+2", "-3", "99")


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)))
@example("wound(target, ٣)")
@example("(target)")
@example("look(weapon")
@example("stat(target, str, dex)")
@example("ties(left,)")
def test_any_text_is_an_effect_or_an_error(text: str) -> None:
    try:
        effect = parse_effect(text)
    except ValueError as problem:
        message = str(problem)
    else:
        message = '"'
        assert parse_effect(str(effect)) == effect
    assert message.startswith(("must be ", '"'))
    assert "\n" not in message


ANYTHING = st.one_of(effects(), st.text(max_size=5), st.integers(), st.none(), st.sampled_from(WORDS))


@given(st.one_of(ANYTHING, st.lists(st.one_of(ANYTHING, st.dictionaries(ANYTHING, ANYTHING, max_size=4)), max_size=3)))
def test_any_value_is_a_list_of_effects_or_an_error(value: Any) -> None:
    try:
        checked = EffectList().check(value)
    except ValueError:
        return
    assert 1 <= len(checked) <= c.MAX_EFFECTS
    assert EffectList().check([str(effect) for effect in checked]) == checked


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("look(weapon, 2)", Effect("look", "weapon", a=2)),
        ("look(fight)", Effect("look", "fight")),
        ("stat(target, str +1, dex -2)", Effect("stat", who="target", a=1, b=-2)),
        ("stat(both, str +0, dex +9)", Effect("stat", who="both", b=9)),
        ("score(favourite, -9)", Effect("score", who="favourite", a=-9)),
        ("dice(left, high)", Effect("dice", who="left", a=1)),
        ("dice(foe, low)", Effect("dice", who="foe", a=-1)),
        ("weapon_type(target, STR)", Effect("weapon_type", who="target")),
        ("swap_weapons", Effect("swap_weapons")),
        ("life(left, +2)", Effect("life", who="left", a=2)),
        ("coin(9)", Effect("coin", a=9)),
        ("guard(-1)", Effect("guard", a=-1)),
    ],
)
def test_effects(text: str, effect: Effect) -> None:
    assert parse_effect(text) == effect
    assert str(effect) == text


def test_every_verb_has_a_form() -> None:
    assert tuple(FORMS) == c.VERBS
    assert all(set(form.kinds) <= {*c.KINDS, SECRET} and form.kinds for form in FORMS.values())
    assert {*ACTION_WHOS, *SECRET_WHOS} == set(c.WHOS[1:])


@pytest.mark.parametrize(
    ("kind", "verbs"),
    [
        ("discover", "look coin time draw guard"),
        (
            "sabotage",
            "stat score dice ties wound heal life damage weapon_type swap_weapons replace_weapon time draw guard",
        ),
        ("react", "score reroll wound heal damage time draw guard"),
        ("special", "replace_secret coin time draw guard"),
        (SECRET, "stat score dice ties wound heal life damage weapon_type"),
    ],
)
def test_verbs_of_a_kind(kind: str, verbs: str) -> None:
    assert [verb for verb, form in FORMS.items() if kind in form.kinds] == verbs.split()
    for verb in c.VERBS:
        who = ("left" if kind == SECRET else "target") if any(p.key == "who" for p in FORMS[verb].parts) else ""
        effect = Effect(verb, "fight" if verb == "look" else "", who, 1)
        if verb in verbs.split():
            check_fit(effect, kind)
        else:
            with pytest.raises(ValueError, match="is not allowed on a "):
                check_fit(effect, kind)


ALL_VERBS = (
    "look, stat, score, dice, ties, reroll, wound, heal, life, damage, weapon_type, swap_weapons, replace_weapon, "
    "replace_secret, coin, time, draw and guard"
)
ALL_WHOS = "target, foe, both, left, right, favourite, underdog or wounded"


@pytest.mark.parametrize("value", [5, None, "", "  ", ["coin(1)"]])
def test_effect_that_is_no_text(value: object) -> None:
    with pytest.raises(ValueError, match=r'^must be an effect such as "wound\(target, 3\)", not '):
        parse_effect(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("wond(target, 3)", f" has an unknown verb; allowed are {ALL_VERBS} (did you mean wound?)"),
        ("(target, 3)", f" has no verb; allowed are {ALL_VERBS}"),
        (
            "look(weapon",
            ' must be a verb and what belongs to it in brackets, such as "wound(target, 3)", in quotes because of the '
            "comma",
        ),
        (
            "wound",
            f': the who of wound must be {ALL_WHOS}, but nothing is there; the form is "wound(who, N)"',
        ),
        (
            "wound(targt, 3)",
            f': the who of wound must be {ALL_WHOS}, not "targt" (did you mean target?); the form is "wound(who, N)"',
        ),
        (
            "wound(target, 0)",
            ': the number of wound must be a whole number from 1 to 9, not 0; the form is "wound(who, N)"',
        ),
        (
            "score(target, ten)",
            ': the number of score must be a whole number from -9 to 9, not "ten"; the form is "score(who, N)"',
        ),
        (
            "look(secret, 4)",
            ': the number of look must be a whole number from 1 to 3, not 4; the form is "look(scope, N)"',
        ),
        (
            "look(secret)",
            ': the number of look must be a whole number from 1 to 3, but nothing is there; the form is "look(scope, '
            'N)"',
        ),
        ("look(fight, 1)", ': nothing more is allowed, but "1" is there; the form is "look(scope)"'),
        (
            "look(room)",
            ': the scope of look must be weapon, secret, any, fighter or fight, not "room"; the form is "look(scope, '
            'N)"',
        ),
        (
            "stat(target, dex +1, str +1)",
            ': the str of stat must be a whole number from -9 to 9, not "dex +1"; the form is "stat(who, str N, dex '
            'N)"',
        ),
        ("dice(left, 1)", ': the keep of dice must be high or low, not "1"; the form is "dice(who, keep)"'),
        (
            "weapon_type(left, str)",
            ': the type of weapon_type must be STR, DEX, BEST or WORST, not "str"; the form is "weapon_type(who, '
            'type)"',
        ),
        ("swap_weapons(target)", ': nothing more is allowed, but "target" is there; the form is "swap_weapons"'),
    ],
)
def test_bad_effect(text: str, problem: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_effect(text)
    assert str(caught.value) == f'"{text}"{problem}'


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({}, "must name the verb of each effect, as {verb: wound, who: target, n: 3} does"),
        ({"verb": "haal"}, f'"haal" has an unknown verb; allowed are {ALL_VERBS} (did you mean heal?)'),
        (
            {"verb": "heal", "whom": "target", "n": 1},
            '"heal" has an unknown key "whom"; allowed are verb, who and n (did you mean who?)',
        ),
        (
            {"verb": "stat", "who": "target", "str": 1},
            '"stat": the dex of stat must be a whole number from -9 to 9, but nothing is there; the keys are verb, '
            "who, str and dex",
        ),
        (
            {"verb": "coin", "n": "2"},
            '"coin": the number of coin must be a whole number from 1 to 9, not "2"; the keys are verb and n',
        ),
    ],
)
def test_bad_mapping(mapping: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_effect(mapping)
    assert str(caught.value) == message


# --- what is refused, and how it is said

IT = 'deck.yaml: card "it" (types[0]): '
NO_WEAPONS = yaml.safe_dump({name: cards for name, cards in small().items() if name != "weapons"})

BROKEN = [
    ("no weapons", NO_WEAPONS, 'deck.yaml: field "weapons" is missing.'),
    ("fighters no list", file_with(fighters=3), 'deck.yaml: field "fighters" must be a list, not 3.'),
    (
        "unknown list",
        file_with(wepons=[]),
        'deck.yaml: field "wepons" is unknown; allowed are types, fighters, weapons and secrets (did you mean '
        "weapons?).",
    ),
    (
        "bad kind",
        file_with(types__kind="reakt"),
        IT + 'field "kind" must be discover, sabotage, react or special, not "reakt" (did you mean react?).',
    ),
    (
        "risk too high",
        file_with(types__risk=7),
        IT + 'field "risk" must be none or a whole number from 0 to 6, not 7.',
    ),
    ("no risk at all", file_with(types__risk=...), IT + 'field "risk" is missing.'),
    ("no effects", file_with(types__effects=[]), IT + 'field "effects" must have 1 to 2 effects, not 0.'),
    (
        "three effects",
        file_with(types__effects=["coin(1)"] * 3),
        IT + 'field "effects" must have 1 to 2 effects, not 3.',
    ),
    (
        "effects as text",
        file_with(types__effects="coin(1)"),
        IT + 'field "effects" must be a list of effects, not "coin(1)".',
    ),
    (
        "two looks",
        file_with(types__kind="discover", types__effects=["look(fight)", "look(fighter)"]),
        IT + 'field "effects" must have at most one look.',
    ),
    (
        "text torn apart at its comma",
        changed('["look(weapon, 2)"]', "[look(weapon, 2)]"),
        'deck.yaml: card "bribe_the_armorer" (types[0]): field "effects": "look(weapon" must be a verb and what '
        'belongs to it in brackets, such as "wound(target, 3)", in quotes because of the comma.',
    ),
    (
        "verb of another kind",
        file_with(types__effects=["look(fight)"]),
        IT + 'field "effects": "look(fight)" is not allowed on a special card, which may have replace_secret, coin, '
        "time, draw or guard.",
    ),
    (
        "who of a secret on a React card",
        file_with(types__kind="react", types__effects=["score(left, 1)"]),
        IT + 'field "effects": "score(left, +1)": the who of a react card must be target, foe or both, not "left".',
    ),
    (
        "React card without a who",
        file_with(types__kind="react", types__effects=["reroll"]),
        IT + f'field "effects": "reroll": the who of reroll must be {ALL_WHOS}, but nothing is there; the form is '
        '"reroll(who)".',
    ),
    (
        "who of an action card on a secret",
        file_with(secrets__effects=["ties(target)"]),
        'deck.yaml: field "secrets[0].effects": "ties(target)": the who of a secret must be left, right, both, '
        'favourite, underdog or wounded, not "target".',
    ),
    (
        "verb that no secret has",
        file_with(secrets__effects=["guard(1)"]),
        'deck.yaml: field "secrets[0].effects": "guard(+1)" is not allowed on a secret, which may have stat, score, '
        "dice, ties, wound, heal, life, damage or weapon_type.",
    ),
    (
        "rank",
        file_with(fighters__rank=4),
        'deck.yaml: field "fighters[0].rank" must be a whole number from 1 to 3, not 4.',
    ),
    (
        "str",
        file_with(fighters__str=-10),
        'deck.yaml: field "fighters[0].str" must be a whole number from -9 to 9, not -10.',
    ),
    (
        "dex",
        file_with(fighters__dex="5"),
        'deck.yaml: field "fighters[0].dex" must be a whole number from -9 to 9, not "5".',
    ),
    (
        "life",
        file_with(fighters__life=0),
        'deck.yaml: field "fighters[0].life" must be a whole number from 1 to 9, not 0.',
    ),
    (
        "weapon type",
        file_with(weapons__type="BSET"),
        'deck.yaml: field "weapons[0].type" must be STR, DEX, BEST or WORST, not "BSET" (did you mean BEST?).',
    ),
    (
        "damage",
        file_with(weapons__damage=10),
        'deck.yaml: field "weapons[0].damage" must be a whole number from 0 to 9, not 10.',
    ),
    (
        "copies of one type",
        file_with(weapons__copies=19),
        'deck.yaml: field "weapons[0].copies" must be a whole number from 1 to 18, not 19.',
    ),
    (
        "action cards",
        file_with(types__copies=27),
        "deck.yaml: the copies of all action cards must add up to 28, not 27.",
    ),
    ("fighters", file_with(fighters=[]), "deck.yaml: the copies of all fighters must add up to 18, not 0."),
    (
        "weapons",
        changed("name: Rapier,", "name: Rapier, copies: 2,"),
        "deck.yaml: the copies of all weapons must add up to 18, not 19.",
    ),
    ("secrets", file_with(secrets__copies=...), "deck.yaml: the copies of all secrets must add up to 12, not 1."),
    (
        "action card id twice",
        changed("id: inside_man", "id: loose_tongues"),
        'deck.yaml: card id "loose_tongues" is used twice (types[3] and types[5]).',
    ),
    (
        "fighter id twice",
        changed("id: insect", "id: blade_freak"),
        'deck.yaml: fighter id "blade_freak" is used twice (fighters[6] and fighters[12]).',
    ),
    (
        "weapon name twice",
        changed("name: Rapier", "name: Scimitar"),
        'deck.yaml: weapon "rapier": name "Scimitar" is taken by "scimitar".',
    ),
    (
        "secret name twice",
        changed("name: Old Scars", "name: Second Skin"),
        'deck.yaml: secret "old_scars": name "Second Skin" is taken by "second_skin".',
    ),
]


@pytest.mark.parametrize(("text", "message"), [entry[1:] for entry in BROKEN], ids=[entry[0] for entry in BROKEN])
def test_broken_file_is_refused_with_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse(text)
    assert str(caught.value) == message


# --- other sets


def test_smallest_set_is_allowed() -> None:
    card_set = parse(file_with())
    tables = c.tables(card_set)
    assert card_set.counts.tolist() == [28]
    assert [len(table) for table in tables] == [1] * 6
    assert tables.actions.tolist() == [[c.SPECIAL, 28, c.NO_RISK, 1]]


def test_largest_set_is_allowed() -> None:
    document = small()
    for cards in document.values():
        card, number = cards[0], cards[0]["copies"]
        cards[:] = [card | {"id": f"id_{k}", "name": f"Name {k}", "copies": 1} for k in range(number)]
    for card in document["types"]:
        card |= {"kind": "sabotage", "risk": 6, "effects": ["stat(foe, str -9, dex +9)", "time(9)"]}
    tables = c.tables(parse(yaml.safe_dump(document)))
    assert [len(table) for table in tables] == [28, 28, 18, 18, 12, 12]
    assert tables.action_effects[27].tolist() == [[c.STAT, c.FOE, -9, 9], [c.TIME, c.NO_ONE, 9, 0]]


def test_risk_of_zero_is_not_no_risk() -> None:
    assert c.tables(parse(file_with(types__risk=0))).actions[0, c.RISK] == 0
    assert c.tables(parse(file_with(types__risk=None))).actions[0, c.RISK] == c.NO_RISK


def test_users_file_is_read_by_path(tmp_path: Path, reference: CardSet) -> None:
    path = tmp_path / "my_cards.yaml"
    path.write_text(REFERENCE, encoding="utf-8")
    assert load(path) == load(str(path)) == reference
    assert load(path).source == str(path)
    assert reference.source == "built-in"

"""The card file of Bedroom Battle: the reference set, its tables, and each mistake's message."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml

from cardzoo.envs.bedroom_battle import cards as c
from cardzoo.envs.bedroom_battle.card_file import CARDS_YAML, BattleCardFile, load
from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import CardError

REFERENCE = CARDS_YAML.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference() -> CardSet:
    return load()


def parse(text: str) -> CardSet:
    return parse_cards(BattleCardFile, text, "deck.yaml")


def changed(old: str, new: str) -> str:
    """The reference file with one piece of text replaced, which must be there exactly once."""
    assert REFERENCE.count(old) == 1, old
    return REFERENCE.replace(old, new)


def file_with(*cards: dict, rewards: dict | None = None) -> str:
    """A card file of 40 plain characters and the given cards after them."""
    filler = {"id": "filler", "name": "Filler", "kind": "character", "copies": 40, "gender": "both", "appeal": 1}
    document = {"rewards": rewards or {"small": 5, "hot": 7, "final": 1}, "types": [filler, *cards]}
    return yaml.safe_dump(document, sort_keys=False)


def card(kind: str = "character", **fields: object) -> dict:
    """A valid card of a kind, with other fields set or (by None) left out."""
    given: dict[str, object] = {"id": "it", "name": "It", "kind": kind, "copies": 1}
    if kind == "character":
        given["gender"] = "male"
    if kind != "special":
        given["appeal"] = 1
    given.update({name.rstrip("_"): value for name, value in fields.items()})
    return {name: value for name, value in given.items() if value is not None}


# --- the reference set (specification, sections 4.1 and 4.2)


def test_reference_counts(reference: CardSet) -> None:
    types, copies = Counter(), Counter()
    for entry in reference:
        types[entry.kind] += 1
        copies[entry.kind] += entry.copies
    assert types == {"character": 30, "item": 14, "attribute": 9, "special": 11}
    assert copies == {"character": 50, "item": 22, "attribute": 14, "special": 14}
    assert len(reference) == 64
    assert reference.counts.sum() == 100


def test_reference_rewards(reference: CardSet) -> None:
    ids = reference.file.rewards.ids
    assert len(ids) == 52
    assert (ids[0], ids[15], ids[16], ids[43], ids[44], ids[51]) == (
        "small_01",
        "small_16",
        "hot_01",
        "hot_28",
        "final_1",
        "final_8",
    )
    assert c.tables(reference).rewards.tolist() == [c.SMALL] * 16 + [c.HOT] * 28 + [c.FINAL] * 8


@pytest.mark.parametrize(
    ("card_id", "value"),
    [
        ("former_prom_queen", 2),
        ("granny", 1),
        ("caveman", 1),
        ("granny_nightgown", -3),
        ("fit_body", 4),
        ("convertible", 4),
        ("rock_star", 7),
        ("acoustic_guitar", 3),
    ],
)
def test_values_that_the_rulebook_names(reference: CardSet, card_id: str, value: int) -> None:
    """Fact F17."""
    assert c.tables(reference).types[reference.index(card_id), c.VALUE] == value


def test_genders_and_restrictions(reference: CardSet) -> None:
    """Fact F7: Mankini male only, Granny Nightgown female only, Drag Queen both, Rotting Zombie none."""
    types = c.tables(reference).types
    assert types[reference.index("mankini"), c.ONLY] == c.ONLY_MALE
    assert types[reference.index("granny_nightgown"), c.ONLY] == c.ONLY_FEMALE
    assert types[reference.index("drag_queen"), c.GENDER] == c.BOTH == c.MALE | c.FEMALE
    assert types[reference.index("rotting_zombie"), c.GENDER] == c.NO_GENDER
    assert types[reference.index("team_spirit"), c.ONLY] == c.ONLY_OWN
    assert types[reference.index("stage_fright"), c.ONLY] == c.ONLY_OPP


@pytest.mark.parametrize(
    ("card_id", "row", "expected"),
    [
        ("yoga_instructor", c.COST_ROW, [c.TASK, 0, 0, 0, 0, 0]),
        ("billionaire", c.COST_ROW, [c.DISCARD, 0, 0, 0, 0, 1]),
        ("opera_diva", c.COST_ROW, [c.SACRIFICE, 0, 0, 0, 0, 0]),
        ("granny", c.PLAY_ROW, [c.DRAW, 0, 0, 0, 0, 2]),
        ("caveman", c.PLAY_ROW, [c.DISCARD_ITEM, 1, c.ANY, 0, 0, 0]),
        ("maid", c.PLAY_ROW, [c.DISCARD_ITEM, 0, c.ALL, 0, 0, 0]),
        ("vampire_count", c.PLAY_ROW, [c.MOVE_CHAR, 1, c.OPP, c.FILTER_BASE_LE, 2, 0]),
        ("curfew", c.PLAY_ROW, [c.DISCARD_CHAR, 0, c.ALL, c.FILTER_BASE_LE, 2, 0]),
        ("fortune_teller", c.PLAY_ROW, [c.PEEK, 0, 0, 0, 0, 0]),
        ("fortune_teller", c.PLAY_ROW + 1, [c.DRAW, 0, 0, 0, 0, 1]),
        ("high_stakes", c.PLAY_ROW, [c.ADD_REWARD, 0, 0, 0, 0, c.HOT]),
        ("mail_order", c.PLAY_ROW + 1, [c.OWN_DISCARD, 0, 0, 0, 0, 1]),
        ("former_prom_queen", c.WHILE_ROW, [c.MOD, 0, c.OWN_OTHERS, c.FILTER_FEMALE, 0, 1]),
        ("queen_bee", c.WHILE_ROW, [c.MOD, 0, c.OPP, c.FILTER_FEMALE, 0, -1]),
        ("art_collector", c.WHILE_ROW, [c.PER, 0, c.PER_OWN_HAND, 0, 0, 1]),
        ("stage_fright", c.WHILE_ROW, [c.PER, 0, c.PER_OPP_CHARS, 0, 0, -1]),
        ("lone_wolf", c.WHILE_ROW, [c.IF, 0, c.IF_ALONE, 0, 0, 4]),
        ("backstage_pass", c.WHILE_ROW, [c.IF, 0, c.IF_ON, 0, 4, 4]),
        ("neat_freak", c.WHILE_ROW, [c.GUARD, 0, c.GUARD_ITEMS, 0, 0, 0]),
        ("chaperone", c.WHILE_ROW, [c.BAN, 0, 0, 0, 0, c.ITEM]),
        ("gossip", c.MODE_ROW + 1, [c.DRAW, 0, 0, 0, 0, 1]),
        ("gossip", c.MODE_ROW + c.MODE_ROWS, [c.OPP_DISCARD, 0, 0, 0, 0, 1]),
        ("shapeshifter", c.MODE_ROW + 2 * c.MODE_ROWS, [c.MOVE_ITEM, 0, c.ANY, 0, 0, 0]),
    ],
)
def test_encoded_effects(reference: CardSet, card_id: str, row: int, expected: list[int]) -> None:
    assert c.tables(reference).effects[reference.index(card_id), row].tolist() == expected


def test_tables_count_what_they_hold(reference: CardSet) -> None:
    """The counts of a card say exactly which of its effect rows are used."""
    types, effects, _ = c.tables(reference)
    assert types.shape == (64, c.NCOL)
    assert effects.shape == (64, c.ROWS, 6)
    assert types.dtype == effects.dtype == np.int16
    for row, rows in zip(types, effects, strict=True):
        used = np.zeros(c.ROWS, dtype=bool)
        used[c.COST_ROW : c.COST_ROW + row[c.NUM_COST]] = True
        used[c.PLAY_ROW : c.PLAY_ROW + row[c.NUM_PLAY]] = True
        used[c.WHILE_ROW : c.WHILE_ROW + row[c.NUM_WHILE]] = True
        for mode in range(4):
            first = c.MODE_ROW + mode * c.MODE_ROWS
            used[first : first + row[c.MODE_LEN + mode]] = True
        assert (used == (rows[:, c.EFFECT_VERB] != c.NONE)).all()
        assert (row[c.MODE_LEN : c.MODE_LEN + 4] > 0).sum() == row[c.NUM_MODES]


def test_each_verb_has_a_code_of_its_own() -> None:
    codes = [verb.code for verb in c.VOCABULARY.verbs.values()]
    assert sorted(codes) == list(range(1, 31))
    for name, verb in c.VOCABULARY.verbs.items():
        assert getattr(c, name.upper()) == verb.code


def test_canonical_texts_parse_to_the_same_effects(reference: CardSet) -> None:
    for entry in reference:
        parts = {"cost": entry.cost, "play": entry.play, "while": entry.while_}
        for part, effects in [*parts.items(), *(("mode", mode) for mode in entry.choice)]:
            for effect in effects:
                assert c.VOCABULARY.parse(str(effect), part) == effect


def test_features(reference: CardSet) -> None:
    names = reference.feature_names
    assert reference.features.shape == (64, len(names))
    assert reference.features.dtype == np.float32
    assert np.isfinite(reference.features).all()
    assert np.abs(reference.features).max() <= 2
    assert len({row.tobytes() for row in reference.features}) == 64, "two cards look alike"
    granny = dict(zip(names, reference.features[reference.index("granny")].tolist(), strict=True))
    held = {name: round(value, 3) for name, value in granny.items() if value}
    assert held == {"kind_character": 1.0, "gender_female": 1.0, "copies": 0.75, "value": 0.1, "draw": 0.4}
    with pytest.raises(ValueError, match="read-only"):
        reference.features[0, 0] = 3


def test_pickled_set_is_the_same(reference: CardSet) -> None:
    copy = pickle.loads(pickle.dumps(reference))
    assert copy == reference
    assert copy.ids == reference.ids
    assert (copy.features == reference.features).all()


# --- content hash


def test_hash_is_pinned(reference: CardSet) -> None:
    """Models carry this hash; a change of the reference set (or of the canonical form) makes them unusable."""
    assert reference.hash == "c81df4b1831fda393f9435b04f1279632b30c4cd6b5bf9081b2fa65395efbc47"


def test_layout_of_the_file_does_not_change_the_hash(reference: CardSet) -> None:
    document = yaml.safe_load(REFERENCE)
    shuffled = {"types": [dict(reversed(entry.items())) for entry in document["types"]], "rewards": document["rewards"]}
    again = parse("# another comment\n" + yaml.safe_dump(shuffled, sort_keys=False))
    assert again.hash == reference.hash
    assert again == reference


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mod own_others female +1", "mod  own_others female 1"),
        ("only: [own]", "only: own"),
    ],
)
def test_another_spelling_does_not_change_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash == reference.hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("play: [draw 2]", "play: [draw 3]"),
        ("small: 16", "small: 15"),
        ("name: Granny,", "name: Grandma,"),
        ("may discard_item any", "discard_item any"),
        ("if on rock_star +4", "if on firefighter +4"),
    ],
)
def test_content_changes_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash != reference.hash


# --- what is refused, and how it is said: (what is wrong, file, the whole message)

ALL_PLAY_VERBS = (
    "draw, opp_draw, draw_discard, draw_opp, own_discard, opp_discard, opp_discard_random, peek, discard_char, "
    "move_char, return_char, swap_char, discard_item, return_item, move_item, extra_play, end_battle and add_reward"
)
GRANNY = 'deck.yaml: card "granny" (types[5]): '
IT = 'deck.yaml: card "it" (types[1]): '

BROKEN = [
    (
        "syntax",
        changed("copies: 3, gender: female, appeal: 1, play: [draw 2]}", "copies: 3, gender: female"),
        "deck.yaml, line 21, column 5: the YAML cannot be read: expected ',' or '}', but got '{'.",
    ),
    (
        "tab",
        "types:\n\t- {id: x}\n",
        "deck.yaml, line 2, column 1: the YAML cannot be read: found character '\\t' that cannot start any token.",
    ),
    (
        "duplicate key",
        changed("id: granny, name: Granny, kind: character, copies: 3", "id: granny, copies: 2, copies: 3"),
        'deck.yaml, line 20, column 29: the YAML cannot be read: key "copies" is there twice.',
    ),
    (
        "key that YAML reads as true",
        changed("id: granny,", "id: granny, on: 3,"),
        "deck.yaml, line 20, column 18: the YAML cannot be read: a key must be text, not true (put it in quotes if it "
        "is meant as text).",
    ),
    (
        "two documents",
        REFERENCE + "---\n" + REFERENCE,
        "deck.yaml, line 85, column 1: the YAML cannot be read: expected a single document in the stream but found "
        "another document.",
    ),
    ("nested too deeply", "[" * 1500, "deck.yaml: the YAML cannot be read: it is nested too deeply."),
    (
        "list that holds itself",
        "types: &loop [*loop]\nrewards: {small: 5, hot: 7, final: 1}\n",
        "deck.yaml: types[0]: must be a mapping (key: value), not [[[[[[[...]]]]]]].",
    ),
    (
        "huge number",
        changed(
            "copies: 3, gender: female, appeal: 1, play: [draw 2]", f"copies: 0x{'f' * 5000}, gender: male, appeal: 1"
        ),
        GRANNY + 'field "copies" must be a whole number from 1 to 160, not a huge number.',
    ),
    (
        "tag that runs code",
        "types: !!python/object/apply:os.system [echo]\n",
        "deck.yaml, line 1, column 8: the YAML cannot be read: could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system'.",
    ),
    ("impossible date", "types: 2001-99-99\n", "deck.yaml: the YAML cannot be read: month must be in 1..12."),
    ("empty", "# nothing but a comment\n", "deck.yaml: the file is empty; a mapping (key: value) is needed."),
    ("list", "- a\n", "deck.yaml: the top level must be a mapping (key: value), not a list."),
    ("no types", "rewards: {small: 5, hot: 7, final: 1}\n", 'deck.yaml: field "types" is missing.'),
    (
        "types no list",
        "types: 3\nrewards: {small: 5, hot: 7, final: 1}\n",
        'deck.yaml: field "types" must be a list, not 3.',
    ),
    (
        "card no mapping",
        file_with("granny"),
        'deck.yaml: types[1]: must be a mapping (key: value), not "granny".',
    ),
    (
        "unknown field of the file",
        file_with() + "reward: {}\n",
        'deck.yaml: field "reward" is unknown; allowed are types and rewards (did you mean rewards?).',
    ),
    (
        "unknown field of a card",
        changed("gender: female, appeal: 1, play: [draw 2]", "gender: female, apeal: 1, play: [draw 2]"),
        GRANNY + 'field "apeal" is unknown; allowed are id, name, copies, kind, gender, only, appeal, cost, play, '
        "while and choice (did you mean appeal?).",
    ),
    ("missing id", file_with(card(id=None)), 'deck.yaml: types[1]: field "id" is missing.'),
    ("missing copies", file_with(card(copies=None)), IT + 'field "copies" is missing.'),
    (
        "missing gender",
        file_with(card(gender=None)),
        IT + 'field "gender" is missing, and a character needs it.',
    ),
    ("missing value", file_with(card("item", appeal=None)), IT + 'field "appeal" is missing, and an item needs it.'),
    (
        "bad id",
        file_with(card(id="The Granny")),
        'deck.yaml: card "The Granny" (types[1]): field "id" must be small letters, digits and underscores, a letter '
        'first, at most 60 of them, not "The Granny".',
    ),
    (
        "id that YAML reads as true",
        file_with().replace("id: filler", "id: yes"),
        'deck.yaml: types[0]: field "id" must be small letters, digits and underscores, a letter first, at most 60 of '
        "them, not true.",
    ),
    (
        "duplicate id",
        file_with(card(), card(name="Other")),
        'deck.yaml: card id "it" is used twice (types[1] and types[2]).',
    ),
    (
        "duplicate name",
        file_with(card(), card(id="other")),
        'deck.yaml: card "other": name "It" is taken by "it".',
    ),
    (
        "bad kind",
        file_with(card(kind="charakter")),
        IT + 'field "kind" must be character, item, attribute or special, not "charakter" (did you mean character?).',
    ),
    (
        "copies as text",
        file_with(card(copies="3")),
        IT + 'field "copies" must be a whole number from 1 to 160, not "3".',
    ),
    ("no copies", file_with(card(copies=0)), IT + 'field "copies" must be a whole number from 1 to 160, not 0.'),
    (
        "fraction",
        file_with(card(appeal=1.5)),
        IT + 'field "appeal" must be a whole number from -20 to 20, not 1.5.',
    ),
    (
        "base below 0",
        file_with(card(appeal=-1)),
        IT + 'field "appeal" must be a whole number from 0 to 20 on a character, not -1.',
    ),
    (
        "value out of range",
        file_with(card("item", appeal=-21)),
        IT + 'field "appeal" must be a whole number from -20 to 20, not -21.',
    ),
    (
        "bad gender",
        file_with(card(gender="man")),
        IT + 'field "gender" must be none, male, female or both, not "man".',
    ),
    ("gender of an item", file_with(card("item", gender="male")), IT + 'field "gender" is not allowed on an item.'),
    (
        "restricted character",
        file_with(card(only=["male"])),
        IT + 'field "only" is not allowed on a character.',
    ),
    (
        "special with while",
        file_with(card("special", while_=["sealed"])),
        IT + 'field "while" is not allowed on a special.',
    ),
    (
        "bad restriction",
        file_with(card("item", only=["woman"])),
        IT + 'field "only" must be male, female, own or opp, not "woman".',
    ),
    (
        "impossible restriction",
        file_with(card("item", only=["own", "opp"])),
        IT + 'field "only" must not hold both own and opp, because no host stands on both sides.',
    ),
    (
        "sacrifice on an item",
        file_with(card("item", cost=["sacrifice"])),
        IT + 'field "cost": sacrifice is not allowed on an item.',
    ),
    (
        "unknown verb",
        changed("play: [draw 2]", "play: [drow 2]"),
        GRANNY + f'field "play": "drow 2" has an unknown verb; allowed are {ALL_PLAY_VERBS} (did you mean draw?).',
    ),
    (
        "verb in the wrong part",
        file_with(card(cost=["draw 2"])),
        IT + 'field "cost": "draw 2": draw cannot stand here; allowed are task, discard and sacrifice.',
    ),
    (
        "effects no list",
        file_with(card(play="draw 2")),
        IT + 'field "play" must be a list of effects, not "draw 2".',
    ),
    (
        "effect no text",
        file_with(card(play=[2])),
        IT + 'field "play" must be an effect such as "draw 1", not 2.',
    ),
    (
        "missing number",
        file_with(card(play=["draw"])),
        IT + 'field "play": "draw": draw needs a whole number from 1 to 8 at its end.',
    ),
    (
        "number out of range",
        file_with(card(play=["draw 9"])),
        IT + 'field "play": "draw 9": the number of draw must be a whole number from 1 to 8, not "9".',
    ),
    (
        "amount out of range",
        file_with(card(while_=["per pot +21"])),
        IT + 'field "while": "per pot +21": the number of per must be a whole number from -20 to 20, not "+21".',
    ),
    (
        "bad may on a verb without choice",
        file_with(card(play=["may draw 2"])),
        IT + 'field "play": "may draw 2": may is not allowed here, because there is nothing to choose; it is '
        "allowed on discard_char, move_char, return_char, swap_char, discard_item, return_item and move_item.",
    ),
    (
        "bad may on an effect on all",
        file_with(card(play=["may discard_item all"])),
        IT + 'field "play": "may discard_item all": may is not allowed here, because there is nothing to choose; it is '
        "allowed on discard_char, move_char, return_char, swap_char, discard_item, return_item and move_item.",
    ),
    (
        "bad filter",
        file_with(card(play=["discard_char any old"])),
        IT + 'field "play": "discard_char any old": a filter must be male, female, base<=n or base>=n, not "old".',
    ),
    (
        "filter out of range",
        file_with(card(play=["discard_char any base<=21"])),
        IT + 'field "play": "discard_char any base<=21": the number of base<=21 must be a whole number from 0 to 20, '
        'not "21".',
    ),
    (
        "filter on items",
        file_with(card(play=["discard_item any male"])),
        IT + 'field "play": "discard_item any male": discard_item takes no filter, but "male" is one.',
    ),
    (
        "missing scope",
        file_with(card(play=["discard_char"])),
        IT + 'field "play": "discard_char": discard_char must be followed by any, own, opp, all, all_own or all_opp, '
        "but nothing follows.",
    ),
    (
        "bad scope",
        file_with(card(play=["move_char all"])),
        IT + 'field "play": "move_char all": move_char must be followed by any, own or opp, not "all".',
    ),
    (
        "words left over",
        file_with(card(play=["peek 2"])),
        IT + 'field "play": "peek 2": nothing is allowed after that effect, but "2" is there.',
    ),
    (
        "bad word",
        file_with(card(play=["add_reward final"])),
        IT + 'field "play": "add_reward final": add_reward needs small or hot, not "final".',
    ),
    (
        "unknown card after with",
        file_with(card(while_=["if with fille +2"])),
        'deck.yaml: card "it": field "while": "if with fille 2" must name a character of this file, and "fille" is '
        "none (did you mean filler?).",
    ),
    (
        "card after on that is no character",
        file_with(card(while_=["if on thing 2"]), card("item", id="thing", name="Thing")),
        'deck.yaml: card "it": field "while": "if on thing 2" must name a character of this file, and "thing" is none.',
    ),
    (
        "too many costs",
        file_with(card(cost=["task", "task", "task"])),
        IT + 'field "cost" must have at most 2 effects, not 3.',
    ),
    (
        "too many effects",
        file_with(card(play=["peek"] * 4)),
        IT + 'field "play" must have at most 3 effects, not 4.',
    ),
    ("one mode", file_with(card(choice=[["peek"]])), IT + 'field "choice" must have 2 to 4 modes or none, not 1.'),
    (
        "empty mode",
        file_with(card(choice=[["peek"], []])),
        IT + 'field "choice" must have 1 to 3 effects, not 0.',
    ),
    (
        "mode that is no list",
        file_with(card(choice=["peek", "draw 1"])),
        IT + "field \"choice\" must be a list of modes, each a list of effects, not ['peek', 'draw 1'].",
    ),
    (
        "too many types",
        file_with(*(card(id=f"card_{number}", name=f"Card {number}") for number in range(128))),
        'deck.yaml: field "types" must list 1 to 128 card types, not 129.',
    ),
    (
        "no cards",
        "types: []\nrewards: {small: 5, hot: 7, final: 1}\n",
        'deck.yaml: field "types" must list 1 to 128 card types, not 0.',
    ),
    (
        "too few copies",
        file_with().replace("copies: 40", "copies: 39"),
        "deck.yaml: the copies of all cards must add up to 40 to 160, not 39.",
    ),
    (
        "too many copies",
        file_with(card(copies=121)),
        "deck.yaml: the copies of all cards must add up to 40 to 160, not 161.",
    ),
    (
        "too many attachments",
        file_with(card("item", copies=40), card("attribute", id="other", name="Other", copies=25)),
        "deck.yaml: the copies of items and attributes must add up to at most 64, not 65.",
    ),
    (
        "too many doubles",
        file_with(card("item", copies=5, while_=["double"])),
        "deck.yaml: the copies of cards with double must add up to at most 4, not 5.",
    ),
    (
        "too many rewards",
        file_with(rewards={"small": 30, "hot": 30, "final": 5}),
        'deck.yaml: field "rewards" must hold at most 64 reward cards in all, not 65.',
    ),
    (
        "too many finals",
        file_with(rewards={"small": 5, "hot": 7, "final": 9}),
        'deck.yaml: field "rewards.final" must be a whole number from 1 to 8, not 9.',
    ),
    (
        "no rewards to win",
        file_with(rewards={"small": 0, "hot": 0, "final": 1}),
        'deck.yaml: field "rewards" must hold at least one small or hot reward card.',
    ),
    (
        "kind of reward left out",
        file_with(rewards={"small": 5, "hot": 7}),
        'deck.yaml: field "rewards.final" is missing.',
    ),
    (
        "unknown kind of reward",
        file_with(rewards={"small": 5, "hot": 7, "final": 1, "big": 1}),
        'deck.yaml: field "rewards.big" is unknown; allowed are small, hot and final.',
    ),
]


@pytest.mark.parametrize(("text", "message"), [entry[1:] for entry in BROKEN], ids=[entry[0] for entry in BROKEN])
def test_broken_file_is_refused_with_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse(text)
    assert str(caught.value) == message
    assert caught.value.__context__ is None or caught.value.__suppress_context__, "the user would see two errors"


def test_limits_are_allowed() -> None:
    """What stands exactly on a limit is a valid card set, and its tables hold it."""
    fills = [card(id=f"card_{number}", name=f"Card {number}") for number in range(126)]
    full = card(
        "item",
        cost=["discard 8", "task"],
        play=["own_discard all", "return_char all_opp base>=20", "may swap_char"],
        while_=["mod all_others male -20", "if with filler +20", "double"],
        choice=[["draw 1", "peek", "may move_char own base<=0"]] * 4,
        only=["male", "female"],
        copies=4,
        appeal=-20,
    )
    rewards = {"small": 0, "hot": 56, "final": 8}
    card_set = parse(file_with(full, *fills, rewards=rewards).replace("copies: 40", "copies: 30"))
    types, effects, reward_kinds = c.tables(card_set)
    assert len(card_set) == 128
    assert len(reward_kinds) == 64
    assert types[1, c.ONLY] == c.ONLY_MALE | c.ONLY_FEMALE
    assert effects[1, c.PLAY_ROW].tolist() == [c.OWN_DISCARD, 0, 0, 0, 0, c.ALL_CARDS]
    assert effects[1, c.PLAY_ROW + 1].tolist() == [c.RETURN_CHAR, 0, c.ALL_OPP, c.FILTER_BASE_GE, 20, 0]
    assert effects[1, c.PLAY_ROW + 2].tolist() == [c.SWAP_CHAR, 1, 0, 0, 0, 0]
    assert effects[1, c.WHILE_ROW].tolist() == [c.MOD, 0, c.ALL_OTHERS, c.FILTER_MALE, 0, -20]
    assert effects[1, c.WHILE_ROW + 1].tolist() == [c.IF, 0, c.IF_WITH, 0, 0, 20]
    assert effects[1, -1].tolist() == [c.MOVE_CHAR, 1, c.OWN, c.FILTER_BASE_LE, 0, 0]


def test_list_of_lists_of_lists_does_not_fill_the_memory() -> None:
    """Each list holds the one before nine times: 9^30 entries if anything wrote them out."""
    lists = ["&a0 [x]", *(f"&a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 31))]
    plain = {"id": "it", "name": "It", "kind": "item", "copies": "1", "appeal": "1"}
    for field in ("copies", "name", "only", "play", "choice"):
        fields = plain | {field: f"[{', '.join(lists)}]"}
        text = ", ".join(f"{name}: {value}" for name, value in fields.items())
        with pytest.raises(CardError, match=rf'^deck\.yaml: card "it" \(types\[0\]\): field "{field}"'):
            parse(f"types: [{{{text}}}]")


# --- files


def test_users_file_is_read_by_path(tmp_path: Path, reference: CardSet) -> None:
    path = tmp_path / "my_deck.yaml"
    path.write_text(REFERENCE, encoding="utf-8")
    assert load(path) == load(str(path)) == reference
    assert load(path).source == str(path)
    assert reference.source == "built-in"


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CardError, match=r"deck\.yaml: there is no such card file\.$"):
        load(tmp_path / "deck.yaml")


def test_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(CardError, match=r"this is a folder, not a card file\.$"):
        load(tmp_path)


def test_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_bytes(b"\xff\xfe\x00types")
    with pytest.raises(CardError, match=r"this is not a card file, because it is not UTF-8 text\.$"):
        load(path)


def test_path_that_is_no_path() -> None:
    with pytest.raises(CardError, match=r"cards must be the path of a card file, not 3\.$"):
        load(3)  # type: ignore[arg-type]

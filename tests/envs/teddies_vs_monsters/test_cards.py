"""The card file of Teddies vs Monsters: the reference set, its tables and sets, effects, each mistake's message."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import CardError
from cardzoo.envs.teddies_vs_monsters import cards as c
from cardzoo.envs.teddies_vs_monsters.card_file import CARDS_YAML, TeddiesCard, TeddiesCardFile, load
from cardzoo.envs.teddies_vs_monsters.state import LEFT, MAX_LENGTH, MAX_TYPES, RIGHT, TEAM_NAMES
from cardzoo.envs.teddies_vs_monsters.words import FORMS, Effect, EffectList, parse_effect

REFERENCE = CARDS_YAML.read_text(encoding="utf-8")
TEDDIES_SYMBOLS = ("heart", "star", "moon", "honey")
MONSTERS_SYMBOLS = ("eye", "fang", "claw", "slime")
Edit = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def reference() -> CardSet:
    return load()


@pytest.fixture(scope="module")
def tables(reference: CardSet) -> c.CardTables:
    return c.tables(reference)


def parse(text: str) -> CardSet:
    return parse_cards(TeddiesCardFile, text, "deck.yaml")


def changed(old: str, new: str) -> str:
    """The reference file with one piece of text replaced, which must be there exactly once."""
    assert REFERENCE.count(old) == 1, old
    return REFERENCE.replace(old, new)


def small() -> dict[str, Any]:
    """A set of one type of each team, 20 copies, and 8 bedrooms of each level."""
    return {
        "teams": {"teddies": {"symbols": [*TEDDIES_SYMBOLS]}, "monsters": {"symbols": [*MONSTERS_SYMBOLS]}},
        "types": [
            {"id": "it", "name": "It", "team": "teddies", "kind": "symbol", "symbols": ["heart"], "copies": 20},
            {"id": "foe", "name": "Foe", "team": "monsters", "kind": "symbol", "symbols": ["eye"], "copies": 20},
        ],
        "bedrooms": [
            {"id": f"b{n}", "name": f"B {n}", "level": 1 + n // 8, "teddies": ["star"] * 2, "monsters": ["fang"] * 2}
            for n in range(24)
        ],
        "strict_counts": False,
    }


def edited(*edits: Edit) -> str:
    """That set after changes to its document."""
    document = small()
    for edit in edits:
        edit(document)
    return yaml.safe_dump(document, sort_keys=False)


def without(*keys: str) -> Edit:
    """A change: keys of the first card go."""
    return lambda document: [document["types"][0].pop(key) for key in keys]


def card(**fields: Any) -> Edit:
    """A change: fields of the first card."""
    return lambda document: document["types"][0].update(fields)


def more(number: int, **fields: Any) -> Edit:
    """A change: so many more cards like the first one, with these fields."""

    def edit(document: dict[str, Any]) -> None:
        first = document["types"][0] | fields
        document["types"] += [first | {"id": f"more{k}", "name": f"More {k}"} for k in range(number)]

    return edit


def bedroom(number: int = 0, **fields: Any) -> Edit:
    """A change: fields of a bedroom."""
    return lambda document: document["bedrooms"][number].update(fields)


def bedrooms(number: int, level: int) -> Edit:
    """A change: so many more bedrooms of a level."""

    def edit(document: dict[str, Any]) -> None:
        first = document["bedrooms"][0] | {"level": level}
        document["bedrooms"] += [first | {"id": f"m{level}{k}", "name": f"M {level} {k}"} for k in range(number)]

    return edit


def one_card(**fields: Any) -> TeddiesCard:
    """The first card of the small set, once, with other fields; `...` leaves one out."""
    gone = [key for key, value in fields.items() if value is ...]
    given = {key: value for key, value in fields.items() if value is not ...}
    card_set = parse(edited(more(1), card(copies=1, **given), without(*gone)))
    return cast(TeddiesCardFile, card_set.file).types[0]


# --- the reference set, against the tables of the game's description

NOUNS = {"teddies": ("knight", "pilot", "baker", "sailor"), "monsters": ("ghoul", "ogre", "imp", "yeti")}
CHARACTERS = {  # a digit is the place among the team's symbols, ? is any
    "red": ("01", "23", "33", "?0"),
    "blue": ("12", "30", "00", "1?"),
    "green": ("10", "32", "11", "?2"),
    "yellow": ("21", "03", "22", "3?"),
    "purple": ("02", "20", "13", "31"),
}
SEQUENCES = {
    1: "012 123 230 301 002 113 220 331",
    2: "0213 1320 2031 3102 0110 1221 2332 3003",
    3: "01230 12301 23012 30123 02103 13210 20321 31032 01310 12021 23132 30203 00?13 11?20 22?31 33?02",
}


def symbols_of(team: str, places: str) -> tuple[str, ...]:
    """Symbols by their places among a team's."""
    names = TEDDIES_SYMBOLS if team == "teddies" else MONSTERS_SYMBOLS
    return tuple("any" if place == "?" else names[int(place)] for place in places)


@pytest.mark.parametrize("team", TEAM_NAMES)
def test_reference_deck(reference: CardSet, team: str) -> None:
    own = c.team_cards(reference)[TEAM_NAMES.index(team)]
    wild, bomb, trap = {
        "teddies": ("cuddle", "pillow_bomb", "yarn"),
        "monsters": ("shadow", "slime_bomb", "web"),
    }[team]
    expected: list[tuple[Any, ...]] = [
        (name, "symbol", 6, None, symbols_of(team, str(place))) for place, name in enumerate(symbols_of(team, "0123"))
    ]
    expected.append((wild, "symbol", 3, None, ("any",)))
    for colour, pairs in CHARACTERS.items():
        for noun, places in zip(NOUNS[team], pairs, strict=True):
            expected.append((f"{colour}_{noun}", "character", 1, colour, symbols_of(team, places)))
    expected.append((bomb, "bomb", 2, None, ()))
    expected += [(f"{colour}_{trap}", "trap", 1, colour, ()) for colour in c.COLOURS]
    assert [(card.id, card.kind, card.copies, card.colour, card.symbols) for card in own] == expected
    assert all(card.effects is None for card in own)
    assert all(card.name == card.id.replace("_", " ").title() for card in own)
    assert sum(card.copies for card in own) == 54


def test_reference_bedrooms(reference: CardSet) -> None:
    """The monsters' sequences are the teddies' under heart, star, moon, honey as claw, slime, eye, fang."""
    file = cast(TeddiesCardFile, reference.file)
    expected = [
        (
            f"b{level}_{number:02}",
            f"Bedroom {level}-{number:02}",
            level,
            symbols_of("teddies", places),
            tuple({"0": "claw", "1": "slime", "2": "eye", "3": "fang", "?": "any"}[place] for place in places),
        )
        for level, rows in SEQUENCES.items()
        for number, places in enumerate(rows.split(), 1)
    ]
    assert [(b.id, b.name, b.level, b.teddies, b.monsters) for b in file.bedrooms] == expected
    assert Counter(b.level for b in file.bedrooms) == {1: 8, 2: 8, 3: 16}
    assert Counter(len(b.teddies) for b in file.bedrooms) == {3: 8, 4: 8, 5: 16}
    for b in file.bedrooms:
        assert (b.sequence_of("teddies"), b.sequence_of("monsters")) == (b.teddies, b.monsters)
    assert file.strict_counts


def test_reference_is_the_same_from_both_sides(tables: c.CardTables) -> None:
    """By numbers the decks are equal, and a bedroom shows the monsters what the one two places on shows the teddies."""
    assert (tables.cards[0] == tables.cards[1]).all()
    assert tables.num_types.tolist() == [31, 31]
    for first in range(0, 32, 4):
        for k in range(4):
            monsters = tables.sequences[first + k, 1]
            assert monsters.tolist() == tables.sequences[first + (k + 2) % 4, 0].tolist()


@pytest.mark.parametrize(
    ("team", "number", "card_id", "row"),
    [
        (0, 0, "heart", [6, c.SYMBOL, 0, 1, 1, 0, 0, 0, 0, 1, 0]),
        (0, 4, "cuddle", [3, c.SYMBOL, 0, 1, c.ANY_SYMBOL, 0, 0, 0, 0, 1, 0]),
        (0, 5, "red_knight", [1, c.CHARACTER, 1, 2, 1, 2, 1, 0, 0, 2, 1]),
        (0, 8, "red_sailor", [1, c.CHARACTER, 1, 2, c.ANY_SYMBOL, 1, 1, 0, 0, 2, 1]),
        (0, 17, "yellow_knight", [1, c.CHARACTER, 4, 2, 3, 2, 4, 0, 0, 2, 4]),
        (0, 25, "pillow_bomb", [2, c.BOMB_CARD, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
        (0, 26, "red_yarn", [1, c.TRAP_CARD, 1, 0, 0, 0, 0, 0, 1, 0, c.ANY_COLOUR]),
        (1, 3, "slime", [6, c.SYMBOL, 0, 1, 4, 0, 0, 0, 0, 1, 0]),
        (1, 24, "purple_yeti", [1, c.CHARACTER, 5, 2, 4, 2, 5, 0, 0, 2, 5]),
        (1, 30, "purple_web", [1, c.TRAP_CARD, 5, 0, 0, 0, 0, 0, 5, 0, c.ANY_COLOUR]),
    ],
)
def test_rows(reference: CardSet, tables: c.CardTables, team: int, number: int, card_id: str, row: list[int]) -> None:
    assert c.team_cards(reference)[team][number].id == card_id
    assert tables.cards[team, number].tolist() == row


def test_tables_of_bedrooms(tables: c.CardTables) -> None:
    assert tables.bedrooms[[0, 8, 16, 31]].tolist() == [[1, 3], [2, 4], [3, 5], [3, 5]]
    assert tables.sequences[0].tolist() == [[1, 2, 3, 0, 0, 0], [3, 4, 1, 0, 0, 0]]
    assert tables.sequences[28].tolist() == [[1, 1, 5, 2, 4, 0], [3, 3, 5, 4, 2, 0]]
    assert (tables.cards[:, 31:] == 0).all()


def test_features(reference: CardSet) -> None:
    assert reference.features.shape == (62, len(reference.feature_names))
    assert reference.features.dtype == np.float32
    assert len(set(reference.feature_names)) == len(reference.feature_names)
    assert len({row.tobytes() for row in reference.features}) == 62, "two cards look alike"
    assert reference.features.min() == 0.0
    assert reference.features.max() == 1.0

    def held(card_id: str) -> dict[str, float]:
        row = reference.features[reference.index(card_id)].tolist()
        return {name: round(value, 3) for name, value in zip(reference.feature_names, row, strict=True) if value}

    assert held("shadow") == {"monsters": 1.0, "kind_symbol": 1.0, "copies": 0.5, "first_any": 1.0, "pay": 0.333}
    assert held("blue_sailor") == {
        **{"kind_character": 1.0, "copies": 0.167, "colour_blue": 1.0, "first_2": 1.0, "second_any": 1.0},
        **{"strike_blue": 1.0, "unlock_blue": 1.0, "pay": 0.667},
    }
    assert held("pillow_bomb") == {"kind_bomb": 1.0, "copies": 0.333, "blast": 1.0}
    assert held("green_yarn") == {
        **{"kind_trap": 1.0, "copies": 0.167, "colour_green": 1.0, "snare_green": 1.0},
        **{f"unlock_{colour}": 1.0 for colour in c.COLOURS},
    }


# --- what fits and what hits, by the words of the file


def members(bits: int, own: tuple[TeddiesCard, ...]) -> set[str]:
    """The cards of a set; it has no others."""
    assert 0 <= int(bits) < 1 << len(own)
    return {card.id for number, card in enumerate(own) if int(bits) >> number & 1}


def test_fit_sets(reference: CardSet, tables: c.CardTables) -> None:
    """A reading from the right is one from the left of the mirrored sequence, with mirrored cards."""
    sets = c.fit_sets(tables)
    assert sets.shape == (32, 2, 2, MAX_LENGTH + 2)
    fitting = 0
    for number, room in enumerate(cast(TeddiesCardFile, reference.file).bedrooms):
        for team, own in enumerate(c.team_cards(reference)):
            for reading, step in ((LEFT, 1), (RIGHT, -1)):
                sequence = room.sequence_of(TEAM_NAMES[team])[::step]
                for done in range(MAX_LENGTH + 2):
                    expected = set()
                    for card in own:
                        wanted, symbols = sequence[done : done + len(card.symbols)], card.symbols[::step]
                        if symbols and len(wanted) == len(symbols):
                            pairs = zip(wanted, symbols, strict=True)
                            if all(a == b or "any" in (a, b) for a, b in pairs):
                                expected.add(card.id)
                    assert members(sets[number, team, reading, done], own) == expected
                    fitting += len(expected)
    assert fitting > 2000


@pytest.mark.parametrize(
    ("room", "team", "reading", "done", "expected"),
    [  # b2_01 is heart moon star honey for the teddies and claw eye slime fang for the monsters
        (8, 0, LEFT, 0, "heart cuddle green_sailor purple_knight"),
        (8, 0, LEFT, 1, "moon cuddle yellow_knight"),
        (8, 0, RIGHT, 1, "star cuddle yellow_knight"),
        (8, 0, LEFT, 3, "honey cuddle"),
        (8, 0, RIGHT, 3, "heart cuddle"),
        (8, 0, LEFT, 4, ""),
        (8, 1, RIGHT, 0, "fang shadow yellow_yeti purple_yeti"),
        # b3_13 is heart heart any star honey
        (
            *(28, 0, LEFT, 2),
            "heart star moon honey cuddle red_knight blue_sailor green_baker yellow_knight yellow_sailor purple_sailor",
        ),
    ],
)
def test_some_fit_sets(
    reference: CardSet, tables: c.CardTables, room: int, team: int, reading: int, done: int, expected: str
) -> None:
    """Written out by hand: a pair lies as printed in either reading."""
    found = members(c.fit_sets(tables)[room, team, reading, done], c.team_cards(reference)[team])
    assert found == set(expected.split())


@pytest.mark.parametrize("column", [c.STRIKE, c.UNLOCK])
def test_colour_sets(reference: CardSet, tables: c.CardTables, column: int) -> None:
    """Characters attack and unlock by their colour; traps unlock all."""
    sets = c.colour_sets(tables, column)
    assert sets.shape == (2, c.NUM_COLOURS)
    for team, own in enumerate(c.team_cards(reference)):
        characters = {card.id for card in own if card.kind == "character"}
        traps = {card.id for card in own if card.kind == "trap"} if column == c.UNLOCK else set()
        assert members(sets[team, c.NO_COLOUR], own) == set()
        for code, colour in enumerate(c.COLOURS, 1):
            hits = {card_id for card_id in characters if card_id.startswith(f"{colour}_")}
            assert len(hits) == 4
            assert members(sets[team, code], own) == hits | traps
        assert members(sets[team, c.ANY_COLOUR], own) == characters | traps


@pytest.mark.parametrize(
    ("column", "kinds"),
    [
        (c.FILLS, "symbol character"),
        (c.BLAST, "bomb"),
        (c.SNARE, "trap"),
        (c.PAY, "symbol character"),
        (c.STRIKE, "character"),
    ],
)
def test_column_sets(reference: CardSet, tables: c.CardTables, column: int, kinds: str) -> None:
    for team, own in enumerate(c.team_cards(reference)):
        found = members(c.column_sets(tables, column)[team], own)
        assert found == {card.id for card in own if card.kind in kinds.split()}


def test_sets_of_a_card_of_any_colour() -> None:
    """`any` matches every colour and itself, but not a card without a colour."""
    wild = one_card(effects=["strike(any)", "unlock(any)"], symbols=...)
    assert wild.card_effects == (Effect("strike", colour="any"), Effect("unlock", colour="any"))
    encoded = c.tables(parse(edited(card(effects=["strike(any)", "unlock(red)"]), without("symbols"))))
    assert c.colour_sets(encoded, c.STRIKE)[0].tolist() == [0, 1, 1, 1, 1, 1, 1]
    assert c.colour_sets(encoded, c.UNLOCK)[0].tolist() == [0, 1, 0, 0, 0, 0, 1]
    assert c.colour_sets(encoded, c.STRIKE)[1].tolist() == [0] * 7


# --- the same set again


def test_pickled_set_is_the_same(reference: CardSet) -> None:
    copy = pickle.loads(pickle.dumps(reference))
    assert copy == reference
    assert copy.file == reference.file


def test_dumped_file_is_the_same(reference: CardSet) -> None:
    """Every field written out, effects as texts."""
    document = reference.file.model_dump()
    for entry, card in zip(document["types"], reference, strict=True):
        entry["effects"] = [str(effect) for effect in card.card_effects]  # type: ignore[attr-defined]
    encoded = [c.tables(card_set) for card_set in (reference, parse(yaml.safe_dump(_lists(document))))]
    for ours, theirs in zip(*encoded, strict=True):
        assert (ours == theirs).all()
    assert TeddiesCardFile.model_validate(reference.file.model_dump()) == reference.file


def _lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lists(item) for key, item in value.items()}
    return [_lists(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "id: cuddle, name: Cuddle, team: teddies, kind: symbol, symbols: [any]",
            'symbols: ["?"], id: cuddle, name: Cuddle, team: teddies, kind: symbol',
        ),
        ("teddies: [heart, heart, any, star, honey]", "teddies: [heart, heart, '?', star, honey]"),
        ("name: Red Yarn,", "name: Red Yarn, copies: 1, symbols: [], effects: null,"),
        ("strict_counts: true\n", "# the default\n"),
    ],
)
def test_another_spelling_does_not_change_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)) == reference


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: Cuddle,", "name: Hug,"),
        (
            "kind: character, colour: red, symbols: [heart, star]",
            "kind: character, colour: any, symbols: [heart, star]",
        ),
        ("kind: bomb, copies: 2}\n  - {id: red_yarn", "kind: bomb, copies: 2, effects: [blast]}\n  - {id: red_yarn"),
        ("teddies: [heart, moon, star, honey]", "teddies: [heart, moon, honey, star]"),
        ("strict_counts: true\n", "strict_counts: false\n"),
    ],
)
def test_content_changes_the_hash(reference: CardSet, old: str, new: str) -> None:
    assert parse(changed(old, new)).hash != reference.hash


def test_users_file_is_read_by_path(tmp_path: Path, reference: CardSet) -> None:
    path = tmp_path / "my_cards.yaml"
    path.write_text(REFERENCE, encoding="utf-8")
    assert load(path) == load(str(path)) == reference
    assert load(path).source == str(path)
    assert reference.source == "built-in"


# --- effects

SYMBOL_NAMES = st.sampled_from(("heart", "fang", "any", "a_1"))
COLOUR_NAMES = st.sampled_from((*c.COLOURS, "any"))


@st.composite
def effects(draw: st.DrawFn) -> Effect:
    verb = draw(st.sampled_from(tuple(FORMS)))
    if verb == "fill":
        return Effect(verb, tuple(draw(st.lists(SYMBOL_NAMES, min_size=1, max_size=2))))
    if verb == "pay":
        return Effect(verb, number=draw(st.integers(1, 3)))
    return Effect(verb) if verb == "blast" else Effect(verb, colour=draw(COLOUR_NAMES))


@given(effects())
def test_text_and_mapping_of_an_effect_parse_to_it(effect: Effect) -> None:
    assert parse_effect(str(effect)) == effect
    parts = {"symbols": [*effect.symbols], "colour": effect.colour, "n": effect.number}
    mapping = {"verb": effect.verb, **{key: value for key, value in parts.items() if value}}
    assert parse_effect(mapping) == effect
    assert parse_effect(yaml.safe_load(yaml.safe_dump(mapping))) == effect


WORDS = (*FORMS, *c.COLOURS, "heart", "any", "?", "(", ")", ",", "1", "+2", "-3", "99")


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)))
@example("pay(٣)")
@example("(heart)")
@example("fill(heart")
@example("fill(heart,)")
@example("blast()")
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
    if checked is None:
        assert value is None
        return
    verbs = [effect.verb for effect in checked]
    assert len(set(verbs)) == len(verbs) >= 1
    assert sum(verb in ("strike", "blast", "snare") for verb in verbs) <= 1
    assert EffectList().check([str(effect) for effect in checked]) == checked


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("fill(heart)", Effect("fill", ("heart",))),
        ("fill(heart, star)", Effect("fill", ("heart", "star"))),
        ("fill(any, heart)", Effect("fill", ("any", "heart"))),
        ("strike(red)", Effect("strike", colour="red")),
        ("blast", Effect("blast")),
        ("snare(any)", Effect("snare", colour="any")),
        ("pay(2)", Effect("pay", number=2)),
        ("unlock(purple)", Effect("unlock", colour="purple")),
    ],
)
def test_effects(text: str, effect: Effect) -> None:
    assert parse_effect(text) == effect
    assert str(effect) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" fill( ? ,star ) ", "fill(any, star)"),
        ("snare(?)", "snare(any)"),
        ("pay(+2)", "pay(2)"),
        ("blast()", "blast"),
        ({"verb": "fill", "symbols": ["?"]}, "fill(any)"),
        ({"verb": "unlock", "colour": "?"}, "unlock(any)"),
    ],
)
def test_other_spellings_of_effects(text: Any, canonical: str) -> None:
    assert str(parse_effect(text)) == canonical


ALL_VERBS = "fill, strike, blast, snare, pay and unlock"
ALL_COLOURS = "red, blue, green, yellow, purple or any"


@pytest.mark.parametrize("value", [5, None, "", "  ", ["blast"]])
def test_effect_that_is_no_text(value: object) -> None:
    with pytest.raises(ValueError, match=r'^must be an effect such as "fill\(heart, star\)", not '):
        parse_effect(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("fil(heart)", f" has an unknown verb; allowed are {ALL_VERBS} (did you mean fill?)"),
        ("(heart)", f" has no verb; allowed are {ALL_VERBS}"),
        (
            "fill(heart",
            ' must be a verb and what belongs to it in brackets, such as "fill(heart, star)", in quotes because of the '
            "comma",
        ),
        (
            "fill",
            ': the symbols of fill must be 1 or 2 symbols, but nothing is there; the form is "fill(symbol)" or '
            '"fill(symbol, symbol)"',
        ),
        (
            "fill(heart, star, moon)",
            ': nothing more is allowed, but "moon" is there; the form is "fill(symbol)" or "fill(symbol, symbol)"',
        ),
        (
            "fill(Heart)",
            ': the symbols of fill must hold names of symbols, or any, not "Heart"; the form is "fill(symbol)" or '
            '"fill(symbol, symbol)"',
        ),
        (
            "strike(rde)",
            f': the colour of strike must be {ALL_COLOURS}, not "rde" (did you mean red?); the form is '
            '"strike(colour)"',
        ),
        ("snare", f': the colour of snare must be {ALL_COLOURS}, but nothing is there; the form is "snare(colour)"'),
        ("unlock(red, blue)", ': nothing more is allowed, but "blue" is there; the form is "unlock(colour)"'),
        ("blast(red)", ': nothing more is allowed, but "red" is there; the form is "blast"'),
        ("pay(0)", ': the number of pay must be a whole number from 1 to 3, not 0; the form is "pay(N)"'),
        ("pay(4)", ': the number of pay must be a whole number from 1 to 3, not 4; the form is "pay(N)"'),
        ("pay(two)", ': the number of pay must be a whole number from 1 to 3, not "two"; the form is "pay(N)"'),
    ],
)
def test_bad_effect(text: str, problem: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_effect(text)
    assert str(caught.value) == f'"{text}"{problem}'


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({}, "must name the verb of each effect, as {verb: fill, symbols: [heart, star]} does"),
        ({"verb": "blst"}, f'"blst" has an unknown verb; allowed are {ALL_VERBS} (did you mean blast?)'),
        (
            {"verb": "fill", "symbol": ["heart"]},
            '"fill" has an unknown key "symbol"; allowed are verb and symbols (did you mean symbols?)',
        ),
        ({"verb": "blast", "n": 1}, '"blast" has an unknown key "n"; allowed is verb'),
        (
            {"verb": "fill", "symbols": "heart"},
            '"fill": the symbols of fill must be a list of 1 or 2 symbols, not "heart"; the keys are verb and symbols',
        ),
        (
            {"verb": "fill", "symbols": []},
            '"fill": the symbols of fill must have 1 or 2 symbols, not 0; the keys are verb and symbols',
        ),
        (
            {"verb": "pay", "n": "2"},
            '"pay": the number of pay must be a whole number from 1 to 3, not "2"; the keys are verb and n',
        ),
        (
            {"verb": "strike"},
            f'"strike": the colour of strike must be {ALL_COLOURS}, but nothing is there; the keys are verb and colour',
        ),
    ],
)
def test_bad_mapping(mapping: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_effect(mapping)
    assert str(caught.value) == message


# --- what a card does


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"symbols": ["star"]}, "fill(star) pay(1)"),
        ({"symbols": ["?"], "colour": "red"}, "fill(any) pay(1)"),
        (
            {"kind": "character", "symbols": ["moon", "?"], "colour": "any"},
            "fill(moon,any) strike(any) pay(2) unlock(any)",
        ),
        ({"kind": "bomb", "symbols": ...}, "blast"),
        ({"kind": "trap", "symbols": ..., "colour": "blue"}, "snare(blue) unlock(any)"),
        ({"effects": ["pay(3)"], "symbols": ...}, "pay(3)"),
        ({"effects": ["fill(heart)", "strike(red)"]}, "fill(heart) strike(red)"),
        ({"kind": "bomb", "effects": ["blast", "fill(?)"], "symbols": ["?"], "colour": "red"}, "blast fill(any)"),
        ({"kind": "character", "effects": [{"verb": "pay", "n": 1}], "symbols": ...}, "pay(1)"),
    ],
)
def test_effects_follow_from_the_kind_unless_the_card_has_its_own(fields: dict[str, Any], texts: str) -> None:
    found = one_card(**fields)
    assert [str(effect).replace(" ", "") for effect in found.card_effects] == texts.split()
    assert found.effect("pay") in (None, *found.card_effects)
    assert (found.effect("blast") is not None) == ("blast" in texts)


def test_colour_of_a_symbol_card_is_what_attacks_hit() -> None:
    encoded = c.tables(parse(edited(card(colour="green"))))
    assert encoded.cards[0, 0].tolist() == [20, c.SYMBOL, 3, 1, 1, 0, 0, 0, 0, 1, 0]


# --- what is refused, and how it is said

IT = 'deck.yaml: card "it" (types[0]): '
OF_TEDDIES = "symbols of the teddies (heart, star, moon, honey or any)"
LENIENT = "(strict_counts: false allows other numbers)"

BROKEN: list[tuple[str, str, str]] = [
    # the file
    ("no teams", edited(lambda d: d.pop("teams")), 'deck.yaml: field "teams" is missing.'),
    ("no bedrooms", edited(lambda d: d.pop("bedrooms")), 'deck.yaml: field "bedrooms" is missing.'),
    (
        "unknown key",
        edited(lambda d: d.update(bedroom=[])),
        'deck.yaml: field "bedroom" is unknown; allowed are types, teams, bedrooms and strict_counts (did you mean '
        "bedrooms?).",
    ),
    ("types no list", edited(lambda d: d.update(types=3)), 'deck.yaml: field "types" must be a list, not 3.'),
    (
        "strict_counts",
        edited(lambda d: d.update(strict_counts="no")),
        'deck.yaml: field "strict_counts" must be true or false, not "no".',
    ),
    # teams
    (
        "one team",
        edited(lambda d: d["teams"].pop("monsters")),
        'deck.yaml: field "teams.monsters" is missing.',
    ),
    (
        "third team",
        edited(lambda d: d["teams"].update(ghosts={})),
        'deck.yaml: field "teams.ghosts" is unknown; allowed are teddies and monsters.',
    ),
    (
        "unknown key of a team",
        edited(lambda d: d["teams"]["teddies"].update(symbol=[])),
        'deck.yaml: field "teams.teddies.symbol" is unknown; allowed are symbols (did you mean symbols?).',
    ),
    (
        "symbols no list",
        edited(lambda d: d["teams"]["teddies"].update(symbols="heart")),
        'deck.yaml: field "teams.teddies.symbols" must be a list of 4 symbols, not "heart".',
    ),
    (
        "three symbols",
        edited(lambda d: d["teams"]["monsters"]["symbols"].pop()),
        'deck.yaml: field "teams.monsters.symbols" must have 4 symbols, not 3.',
    ),
    (
        "five symbols",
        edited(lambda d: d["teams"]["monsters"]["symbols"].append("wing")),
        'deck.yaml: field "teams.monsters.symbols" must have 4 symbols, not 5.',
    ),
    (
        "symbol twice",
        edited(lambda d: d["teams"]["teddies"].update(symbols=["heart", "star", "moon", "star"])),
        'deck.yaml: field "teams.teddies.symbols" must have 4 different symbols, but "star" is there twice.',
    ),
    (
        "symbol of both teams",
        edited(lambda d: d["teams"]["monsters"].update(symbols=["eye", "star", "claw", "slime"])),
        'deck.yaml: field "teams" must have different symbols for each team, but "star" is there for both.',
    ),
    (
        "symbol any",
        edited(lambda d: d["teams"]["teddies"].update(symbols=["heart", "star", "moon", "any"])),
        'deck.yaml: field "teams.teddies.symbols" must not have a symbol named any, because that stands for every '
        "symbol.",
    ),
    (
        "symbol with a capital",
        edited(lambda d: d["teams"]["teddies"].update(symbols=["Heart", "star", "moon", "honey"])),
        'deck.yaml: field "teams.teddies.symbols" has a wrong name: it must be small letters, digits and underscores, '
        'a letter first, at most 60 of them, not "Heart".',
    ),
    # one card
    (
        "id like a number",
        edited(card(id="#3")),
        'deck.yaml: card "#3" (types[0]): field "id" must be small letters, digits and underscores, a letter first, at '
        'most 60 of them, not "#3".',
    ),
    ("no name", edited(without("name")), IT + 'field "name" is missing.'),
    ("no team", edited(without("team")), IT + 'field "team" is missing.'),
    (
        "team",
        edited(card(team="monster")),
        IT + 'field "team" must be teddies or monsters, not "monster" (did you mean monsters?).',
    ),
    (
        "kind",
        edited(card(kind="simbol")),
        IT + 'field "kind" must be symbol, character, bomb or trap, not "simbol" (did you mean symbol?).',
    ),
    ("no copies", edited(card(copies=0)), IT + 'field "copies" must be a whole number from 1 to 63, not 0.'),
    ("many copies", edited(card(copies=64)), IT + 'field "copies" must be a whole number from 1 to 63, not 64.'),
    (
        "colour",
        edited(card(colour="gren")),
        IT + f'field "colour" must be {ALL_COLOURS}, not "gren" (did you mean green?).',
    ),
    (
        "symbols no list",
        edited(card(symbols="heart")),
        IT + 'field "symbols" must be a list of 0 to 2 symbols, not "heart".',
    ),
    ("three symbols", edited(card(symbols=["heart"] * 3)), IT + 'field "symbols" must have 0 to 2 symbols, not 3.'),
    (
        "no name of a symbol",
        edited(card(symbols=[3])),
        IT + 'field "symbols" must hold names of symbols, or any, not 3.',
    ),
    (
        "unknown symbol",
        edited(card(symbols=["hart"])),
        IT + f'field "symbols" must have {OF_TEDDIES}, not "hart" (did you mean heart?).',
    ),
    ("symbol of the foe", edited(card(symbols=["eye"])), IT + f'field "symbols" must have {OF_TEDDIES}, not "eye".'),
    ("symbol without one", edited(without("symbols")), IT + 'field "symbols" is missing, and a symbol card needs it.'),
    (
        "symbol with two",
        edited(card(symbols=["heart", "star"])),
        IT + 'field "symbols" must have 1 symbol on a symbol card, not 2.',
    ),
    (
        "character with one",
        edited(card(kind="character", colour="red")),
        IT + 'field "symbols" must have 2 symbols on a character, not 1.',
    ),
    (
        "character without colour",
        edited(card(kind="character", symbols=["heart", "star"])),
        IT + 'field "colour" is missing, and a character needs it.',
    ),
    (
        "trap without colour",
        edited(card(kind="trap"), without("symbols")),
        IT + 'field "colour" is missing, and a trap needs it.',
    ),
    (
        "trap with symbols",
        edited(card(kind="trap", colour="red")),
        IT + 'field "symbols" is not allowed on a trap, because it is not placed in a row.',
    ),
    (
        "bomb with symbols",
        edited(card(kind="bomb")),
        IT + 'field "symbols" is not allowed on a bomb, because it is not placed in a row.',
    ),
    (
        "bomb with colour",
        edited(card(kind="bomb", colour="red"), without("symbols")),
        IT + 'field "colour" is not allowed on a bomb, because it is not placed in a row.',
    ),
    # effects of a card
    ("effects no list", edited(card(effects="blast")), IT + 'field "effects" must be a list of effects, not "blast".'),
    (
        "no effects",
        edited(card(effects=[])),
        IT + 'field "effects" must have at least one effect; leave it out for those of the card\'s kind.',
    ),
    (
        "unknown verb",
        edited(card(effects=["blats"])),
        IT + f'field "effects": "blats" has an unknown verb; allowed are {ALL_VERBS} (did you mean blast?).',
    ),
    (
        "effect torn apart",
        changed(
            "name: Cuddle, team: teddies, kind: symbol, symbols: [any]",
            "name: Cuddle, team: teddies, kind: symbol, effects: [fill(any, star)]",
        ),
        'deck.yaml: card "cuddle" (types[4]): field "effects": "fill(any" must be a verb and what belongs to it in '
        'brackets, such as "fill(heart, star)", in quotes because of the comma.',
    ),
    (
        "verb twice",
        edited(card(effects=["pay(1)", "fill(heart)", "pay(2)"])),
        IT + 'field "effects" must have each verb at most once, but pay is there twice.',
    ),
    (
        "strike and snare",
        edited(card(effects=["strike(red)", "fill(heart)", "snare(red)"])),
        IT + 'field "effects" must have at most one of strike, blast and snare, not strike and snare.',
    ),
    (
        "blast and snare",
        edited(card(effects=["snare(red)", "blast"])),
        IT + 'field "effects" must have at most one of strike, blast and snare, not snare and blast.',
    ),
    (
        "effect with a symbol of the foe",
        edited(card(effects=["fill(heart, eye)"]), without("symbols")),
        IT + f'field "effects": "fill(heart, eye)" must have {OF_TEDDIES}, not "eye".',
    ),
    (
        "symbols that are not those of fill",
        edited(card(effects=["fill(star)"])),
        IT + 'field "symbols" must be those of its fill, [star], not [heart].',
    ),
    (
        "symbols without fill",
        edited(card(effects=["pay(1)"])),
        IT + 'field "symbols" must be left out, as its effects do not fill, not [heart].',
    ),
    # all cards
    (
        "id twice",
        edited(lambda d: d["types"][1].update(id="it")),
        'deck.yaml: card id "it" is used twice (types[0] and types[1]).',
    ),
    (
        "name twice",
        edited(lambda d: d["types"][1].update(name="It")),
        'deck.yaml: card "foe": name "It" is taken by "it".',
    ),
    (
        "37 types",
        edited(card(copies=1), more(36)),
        'deck.yaml: field "types" must list at most 36 cards of the teddies, not 37.',
    ),
    (
        "no cards",
        edited(lambda d: d["types"].pop()),
        "deck.yaml: the copies of all cards of the monsters must add up to a number from 20 to 64, not 0.",
    ),
    (
        "19 cards",
        edited(card(copies=19)),
        "deck.yaml: the copies of all cards of the teddies must add up to a number from 20 to 64, not 19.",
    ),
    (
        "65 cards",
        edited(more(1, copies=45)),
        "deck.yaml: the copies of all cards of the teddies must add up to a number from 20 to 64, not 65.",
    ),
    (
        "12 snares",
        edited(more(2, kind="trap", symbols=[], colour="red", copies=3)),
        "deck.yaml: the teddies must have at most 10 cards with snare in their 2 decks, not 12.",
    ),
    (
        "snares of a symbol card",
        edited(card(effects=["fill(heart)", "snare(red)"])),
        "deck.yaml: the teddies must have at most 10 cards with snare in their 2 decks, not 40.",
    ),
    # bedrooms
    (
        "level",
        edited(bedroom(level=4)),
        'deck.yaml: field "bedrooms[0].level" must be a whole number from 1 to 3, not 4.',
    ),
    (
        "unknown key of a bedroom",
        edited(bedroom(teddy=[])),
        'deck.yaml: field "bedrooms[0].teddy" is unknown; allowed are id, name, level, teddies and monsters (did you '
        "mean teddies?).",
    ),
    (
        "one place",
        edited(bedroom(3, teddies=["star"], monsters=["fang"])),
        'deck.yaml: field "bedrooms[3].teddies" must have 2 to 6 symbols, not 1.',
    ),
    (
        "seven places",
        edited(bedroom(3, monsters=["fang"] * 7)),
        'deck.yaml: field "bedrooms[3].monsters" must have 2 to 6 symbols, not 7.',
    ),
    (
        "lengths",
        edited(bedroom(3, teddies=["star"] * 3)),
        'deck.yaml: field "bedrooms[3]" must have equally many symbols for both teams, not 3 for the teddies and 2 for '
        "the monsters.",
    ),
    (
        "symbols of the wrong team",
        edited(bedroom(2, monsters=["fang", "star"])),
        'deck.yaml: bedroom "b2" (bedrooms[2]): field "monsters" must have symbols of the monsters (eye, fang, claw, '
        'slime or any), not "star".',
    ),
    (
        "bedroom id twice",
        edited(bedroom(5, id="b4")),
        'deck.yaml: bedroom id "b4" is used twice (bedrooms[4] and bedrooms[5]).',
    ),
    (
        "bedroom name twice",
        edited(bedroom(5, name="B 4")),
        'deck.yaml: bedroom "b5": name "B 4" is taken by "b4".',
    ),
    (
        "65 bedrooms",
        edited(bedrooms(41, 3)),
        'deck.yaml: field "bedrooms" must list at most 64 bedrooms, not 65.',
    ),
    *(
        (
            f"7 bedrooms of level {level}",
            edited(bedroom(8 * level - 1, level=1 + level % 3)),
            f'deck.yaml: field "bedrooms" must list at least 8 bedrooms of level {level}, not 7.',
        )
        for level in (1, 2, 3)
    ),
    # strict counts
    (
        "5 of a symbol",
        changed("symbols: [claw], copies: 6}", "symbols: [claw], copies: 5}"),
        f"deck.yaml: the copies of the plain symbol claw must be 6, not 5 {LENIENT}.",
    ),
    (
        "6 of a symbol, some with other effects",
        changed("symbols: [heart], copies: 6}", 'symbols: [heart, star], copies: 6, effects: ["fill(heart, star)"]}'),
        f"deck.yaml: the copies of the plain symbol heart must be 6, not 0 {LENIENT}.",
    ),
    (
        "6 of a symbol, on characters",
        changed("kind: symbol, symbols: [heart], copies: 6}", "kind: character, copies: 6, effects: [fill(heart)]}"),
        f"deck.yaml: the copies of the plain symbol heart must be 6, not 0 {LENIENT}.",
    ),
    (
        "3 bombs",
        changed(
            "name: Slime Bomb, team: monsters, kind: bomb, copies: 2}",
            "name: Slime Bomb, team: monsters, kind: bomb, copies: 3}",
        ),
        f"deck.yaml: the copies of the bombs of the monsters must be 2, not 3 {LENIENT}.",
    ),
    (
        "9 bedrooms of level 2",
        changed("name: Bedroom 3-01, level: 3", "name: Bedroom 3-01, level: 2"),
        f"deck.yaml: the bedrooms of level 2 must be 8, not 9 {LENIENT}.",
    ),
    (
        "17 bedrooms of level 3",
        changed(
            "bedrooms:\n  # Level 1\n",
            "bedrooms:\n  - {id: b3_17, name: New, level: 3, teddies: [any, any], monsters: [any, any]}\n",
        ),
        f"deck.yaml: the bedrooms of level 3 must be 16, not 17 {LENIENT}.",
    ),
]


@pytest.mark.parametrize(("text", "message"), [entry[1:] for entry in BROKEN], ids=[entry[0] for entry in BROKEN])
def test_broken_file_is_refused_with_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(CardError) as caught:
        parse(text)
    assert str(caught.value) == message


def test_question_mark_without_quotes_is_refused_with_its_place() -> None:
    with pytest.raises(
        CardError, match=r"^deck\.yaml, line \d+, column \d+: .*put it in quotes if it is meant as text"
    ):
        parse(changed("teddies: [heart, heart, any, star, honey]", "teddies: [heart, heart, ?, star, honey]"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("symbols: [claw], copies: 6}", "symbols: [claw], copies: 5}"),
        ("name: Slime Bomb, team: monsters, kind: bomb, copies: 2}", "name: Slime Bomb, team: monsters, kind: bomb}"),
        ("name: Bedroom 3-01, level: 3", "name: Bedroom 3-01, level: 2"),
    ],
)
def test_other_numbers_are_allowed_unless_counts_are_strict(old: str, new: str) -> None:
    text = changed(old, new)
    with pytest.raises(CardError):
        parse(text)
    assert parse(text.replace("strict_counts: true", "strict_counts: false"))


# --- other sets


def test_smallest_set_is_allowed() -> None:
    encoded = c.tables(parse(edited()))
    assert encoded.num_types.tolist() == [1, 1]
    assert encoded.cards[:, 0].tolist() == [[20, c.SYMBOL, 0, 1, 1, 0, 0, 0, 0, 1, 0]] * 2
    assert encoded.sequences[:, :, :3].tolist() == [[[2, 2, 0]] * 2] * 24


def test_largest_set_is_allowed() -> None:
    """36 types, 64 cards, 10 snares in two decks, 64 bedrooms of six places; teams of different sizes."""
    encoded = c.tables(
        parse(
            edited(
                card(copies=26),
                more(34, copies=1),
                lambda d: d["types"].append(
                    {"id": "x", "name": "X", "team": "teddies", "kind": "trap", "colour": "any", "copies": 2}
                ),
                lambda d: d["types"][2].update(
                    effects=["fill(heart, heart)", "snare(red)", "pay(3)", "unlock(any)"], symbols=[], copies=3
                ),
                *(bedroom(k, teddies=["heart"] * 6, monsters=["any"] * 6) for k in range(24)),
                bedrooms(40, 3),
            )
        )
    )
    assert encoded.num_types.tolist() == [MAX_TYPES, 1]
    assert encoded.cards[..., c.COPIES].sum(axis=1).tolist() == [64, 20]
    assert encoded.cards[0, 35].tolist() == [2, c.TRAP_CARD, 6, 0, 0, 0, 0, 0, 6, 0, 6]
    assert encoded.sequences.shape == (64, 2, 6)
    fits = c.fit_sets(encoded)
    single, pair = (1 << 35) - 1 - 0b10, 0b10
    assert fits[0, 0, LEFT].tolist() == fits[0, 0, RIGHT].tolist() == [single | pair] * 5 + [single, 0, 0]


def test_cards_of_the_teams_may_be_mixed(reference: CardSet) -> None:
    """A card's number is its place among its own team's cards."""
    document = yaml.safe_load(REFERENCE)
    teddies, monsters = document["types"][:31], document["types"][31:]
    document["types"] = [card for pair in zip(monsters, teddies, strict=True) for card in pair]
    mixed = parse(yaml.safe_dump(document))
    assert mixed.ids[:4] == ("eye", "heart", "fang", "star")
    for ours, theirs in zip(c.tables(mixed), c.tables(reference), strict=True):
        assert (ours == theirs).all()

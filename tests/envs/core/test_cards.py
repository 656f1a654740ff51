"""The shared card layer on a small game of its own: vocabulary, file, set; nothing here knows a real game."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import Field

from cardzoo.envs.core.cards import Card, CardFile, CardSet, load_cards, parse_cards
from cardzoo.envs.core.effects import NUM_COLUMNS, Effect, EffectList, Filter, Verb, Vocabulary, encode_rows
from cardzoo.envs.core.errors import CardError
from cardzoo.envs.core.fields import Subset, Whole

WORDS = Vocabulary(
    verbs={
        "heal": Verb(1, ("hit", "rest"), number=(1, 5)),
        "burn": Verb(2, ("hit",), scopes={"one": 1, "each": 2}, filters=True, number=(-3, 3), may=("one",)),
        "rest": Verb(3, ("rest",)),
        "like": Verb(4, ("rest",), scopes={"card": 1}, card_scopes=("card",)),
        "turn": Verb(5, ("hit",), words={"left": 0, "right": 1}),
    },
    filters={"wet": Filter(1), "size>=": Filter(2, number=(0, 9))},
)


class Creature(Card):
    size: Annotated[int, Whole(0, 9)] = 0
    tags: Annotated[tuple[str, ...], Subset(("fire", "water"))] = ()
    hit: Annotated[tuple[Effect, ...], EffectList(WORDS, "hit", 2)] = ()
    rest_: Annotated[tuple[Effect, ...], EffectList(WORDS, "rest", 2)] = Field((), alias="rest")


class CreatureFile(CardFile):
    types: tuple[Creature, ...]

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        return ("size",), np.array([[card.size / 9] for card in self.types], dtype=np.float32).reshape(-1, 1)


TEXT = """
types:
  - {id: newt, name: Newt, copies: 2, size: 1, tags: [water], rest: [like card ogre]}
  - {id: ogre, name: Big Ogre, copies: 3, size: 9, hit: [may burn one size>=3 -2, heal 1]}
"""


def parse(text: str = TEXT) -> CardSet:
    return parse_cards(CreatureFile, text, "zoo.yaml")


def test_set_is_a_sequence_of_its_cards() -> None:
    cards = parse()
    assert len(cards) == 2
    assert [card.id for card in cards] == ["newt", "ogre"] == list(cards.ids)
    assert cards.names == ("Newt", "Big Ogre")
    assert cards["ogre"] is cards[1]
    assert cards.index("ogre") == 1
    assert "ogre" in cards
    assert "troll" not in cards
    assert cards.counts.tolist() == [2, 3]
    assert cards.features.tolist() == [[pytest.approx(1 / 9)], [1.0]]


def test_tables_of_a_set_cannot_be_changed() -> None:
    cards = parse()
    with pytest.raises(ValueError, match="read-only"):
        cards.counts[0] = 4
    with pytest.raises(ValueError, match="read-only"):
        cards.features[0, 0] = 4


def test_unknown_card_is_named() -> None:
    with pytest.raises(CardError, match=r'^zoo\.yaml: there is no card "ogr" \(did you mean ogre\?\)\.$'):
        parse().index("ogr")


def test_sets_are_equal_by_content() -> None:
    assert parse() == parse_cards(CreatureFile, TEXT + "# a comment\n", "other.yaml")
    assert hash(parse()) == hash(parse())
    assert parse() != parse(TEXT.replace("copies: 3", "copies: 2"))
    assert parse() != TEXT


def test_game_without_a_set_of_its_own_needs_a_path() -> None:
    with pytest.raises(CardError, match=r"^this game has no card set of its own; a path to a card file is needed\.$"):
        load_cards(CreatureFile)


def test_encoded_rows() -> None:
    cards = parse()
    rows = np.zeros((3, NUM_COLUMNS), dtype=np.int16)
    encode_rows(WORDS, cards[1].hit, {}, rows)
    assert rows.tolist() == [[2, 1, 1, 2, 3, -2], [1, 0, 0, 0, 0, 1], [0] * 6]
    assert WORDS.encode(cards[0].rest_[0], {"newt": 0, "ogre": 1}) == (4, 0, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("text", "part", "message"),
    [
        ("fly 2", "hit", '"fly 2" has an unknown verb; allowed are heal, burn and turn'),
        ("may", "hit", '"may" has an unknown verb; allowed are heal, burn and turn'),
        ("rest", "hit", '"rest": rest cannot stand here; allowed are heal, burn and turn'),
        ("heal", "rest", '"heal": heal needs a whole number from 1 to 5 at its end'),
        ("heal 0", "rest", '"heal 0": the number of heal must be a whole number from 1 to 5, not "0"'),
        ("heal lots", "rest", '"heal lots": heal needs a whole number from 1 to 5, not "lots"'),
        ("heal ١", "rest", '"heal ١": heal needs a whole number from 1 to 5, not "١"'),
        ("heal 1 2", "rest", '"heal 1 2": nothing is allowed after that effect, but "2" is there'),
        ("burn 2", "hit", '"burn 2": burn must be followed by one or each, not "2"'),
        ("burn one dry 2", "hit", '"burn one dry 2": a filter must be wet or size>=n, not "dry"'),
        (
            "burn one size>=x 2",
            "hit",
            '"burn one size>=x 2": the number of size>=x must be a whole number from 0 to 9, not "x"',
        ),
        ("burn one wet", "hit", '"burn one wet": burn needs a whole number from -3 to 3 at its end'),
        (
            "may burn each 2",
            "hit",
            '"may burn each 2": may is not allowed here, because there is nothing to choose; it is allowed on burn',
        ),
        ("may rest", "rest", '"may rest": may is not allowed here, because there is nothing to choose'),
        ("like card", "rest", '"like card": like card must be followed by a card\'s id'),
        ("like card Ogre", "rest", '"like card Ogre": like card must be followed by a card\'s id'),
        ("turn round", "hit", '"turn round": turn needs left or right, not "round"'),
        ("  ", "hit", 'must be an effect such as "heal 1", not "  "'),
    ],
)
def test_bad_effect_is_refused(text: str, part: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        WORDS.parse(text, part)
    assert str(caught.value) == message


PIECES = ["may", "burn", "one", "each", "wet", "size>=3", "2", "-2", "heal", "card", "like"]


@given(st.text(max_size=40) | st.lists(st.sampled_from(PIECES)).map(" ".join), st.sampled_from(["hit", "rest"]))
def test_any_text_is_an_effect_or_refused(text: str, part: str) -> None:
    """Nothing but ValueError leaves the parser, and what it accepts reads the same again."""
    try:
        effect = WORDS.parse(text, part)
    except ValueError:
        return
    assert WORDS.parse(str(effect), part) == effect


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from(["types", "id", "copies", "tags", "hit", "rest"]),
)
def test_any_value_in_any_field_ends_in_a_card_error(value: Any, field: str) -> None:
    """Whatever stands in a field, the set is read or one sentence says that it cannot be."""
    card = {"id": "newt", "name": "Newt", "copies": 2, field: value}
    document = {"types": value} if field == "types" else {"types": [card]}
    try:
        parse(yaml.safe_dump(document))
        return
    except CardError as problem:
        message = str(problem)
    assert message.startswith("zoo.yaml")
    assert message.endswith(".")
    assert "\n" not in message


def test_line_break_in_a_field_name_is_shown_as_an_escape() -> None:
    with pytest.raises(CardError, match=r'field "a\\nb" is unknown'):
        parse(yaml.safe_dump({"types": [{"id": "newt", "name": "Newt", "copies": 2, "a\nb": 1}]}))

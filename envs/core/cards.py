"""Card sets: a YAML file that a person can write, validated with clear errors, as tables for kernels and features.

A game subclasses `Card` (the fields of one card) and `CardFile` (the whole file, with the features of its cards), and
reads files with `load_cards`. The words of effects are in `cardzoo.envs.core.effects`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pydantic
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.core.documents import parse_mapping, read_text
from cardzoo.envs.core.errors import CardError
from cardzoo.envs.core.fields import DisplayName, Identifier, Whole, dotted, first_problem, shown, suggestion

QUOTE = '"'  # an effect's message starts with the quoted effect


class Card(BaseModel):
    """One type of card: what every game's cards have. A game adds its numbers, tags and effects."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Identifier()]
    name: Annotated[str, DisplayName()]
    copies: Annotated[int, Whole(1, 999)]


class CardFile(BaseModel):
    """A whole card file: the list of card types. A game declares `types` as a list of its own `Card` class."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    types: Sequence[Card]

    @pydantic.model_validator(mode="after")
    def _check_ids(self) -> CardFile:
        """Refuse two cards with one id, or with one name: neither a text nor a table could tell them apart."""
        seen: dict[str, int] = {}
        names: dict[str, str] = {}
        for index, card in enumerate(self.types):
            if card.id in seen:
                raise ValueError(f"card id {shown(card.id)} is used twice (types[{seen[card.id]}] and types[{index}])")
            if card.name in names:
                raise ValueError(
                    f"card {shown(card.id)}: name {shown(card.name)} is taken by {shown(names[card.name])}"
                )
            seen[card.id] = index
            names[card.name] = card.id
        return self

    def features(self) -> tuple[tuple[str, ...], NDArray[np.float32]]:
        """Names of the features, and their values as float32 (T, F), each about within -1..1."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class CardSet:
    """A validated card set; iterating gives its cards in type order.

    Attributes:
        source: path of the file it was read from, or "built-in".
        text: the file's content, from which the same set can be made in another process.
        file: the validated model of the file, for what a game has beside its card types.
        hash: 64 hex digits (SHA-256) of the content; comments, layout and order of keys do not change it.
        cards: the card types, T of them.
        feature_names: F names.
        features: float32 (T, F), read-only; what a learner may be shown of each type.
        counts: int16 (T,), read-only; copies of each type.
    """

    source: str
    text: str
    file: CardFile
    hash: str = field(init=False)
    cards: tuple[Card, ...] = field(init=False)
    feature_names: tuple[str, ...] = field(init=False)
    features: NDArray[np.float32] = field(init=False, repr=False)
    counts: NDArray[np.int16] = field(init=False, repr=False)
    _index: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cards = tuple(self.file.types)
        feature_names, features = self.file.features()
        counts = np.array([card.copies for card in cards], dtype=np.int16)
        features.setflags(write=False)
        counts.setflags(write=False)
        values = {
            "hash": content_hash(self.file),
            "cards": cards,
            "feature_names": feature_names,
            "features": features,
            "counts": counts,
            "_index": {card.id: index for index, card in enumerate(cards)},
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, key: int | str) -> Card:
        """The card with a type index or an id."""
        return self.cards[key if isinstance(key, int) else self.index(key)]

    def __contains__(self, card: object) -> bool:
        return card in self._index if isinstance(card, str) else card in self.cards

    def __eq__(self, other: object) -> bool:
        """Sets are equal when their contents are, wherever they came from."""
        return isinstance(other, CardSet) and type(self.file) is type(other.file) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids in type order."""
        return tuple(self._index)

    @property
    def names(self) -> tuple[str, ...]:
        """The display names in type order."""
        return tuple(card.name for card in self.cards)

    def index(self, card_id: str) -> int:
        """The type index of an id; a CardError says which ids come close."""
        if card_id not in self._index:
            raise CardError(f"{self.source}: there is no card {shown(card_id)}{suggestion(card_id, self._index)}.")
        return self._index[card_id]


def load_cards(model: type[CardFile], path: str | Path | None = None, built_in: Path | None = None) -> CardSet:
    """Read a card file.

    Args:
        model: the game's model of a card file.
        path: the user's file; None for the game's own.
        built_in: the game's own file.

    Raises:
        CardError: the file cannot be read or is not a valid card file; the sentence names the file, card and field.
    """
    if path is None:
        if built_in is None:
            raise CardError("this game has no card set of its own; a path to a card file is needed.")
        return parse_cards(model, read_text(built_in, "card file", CardError), "built-in")
    if not isinstance(path, (str, Path)):
        raise CardError(f"cards must be the path of a card file, not {shown(path)}.")
    return parse_cards(model, read_text(Path(path), "card file", CardError), str(path))


def parse_cards(model: type[CardFile], text: str, source: str) -> CardSet:
    """Make a card set from the content of a card file.

    Args:
        model: the game's model of a card file.
        text: the YAML text.
        source: name of the file for messages and `CardSet.source`.

    Raises:
        CardError: as for `load_cards`.
    """
    document = parse_mapping(text, source, CardError)
    try:
        file = model.model_validate(document)
    except pydantic.ValidationError as problem:
        raise CardError(_sentence(model, document, source, problem)) from None
    return CardSet(source=source, text=text, file=file)


def content_hash(file: CardFile) -> str:
    """SHA-256 of everything that a card file says, in one canonical form."""
    canonical = json.dumps(_plain(file), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _plain(value: Any) -> Any:
    """A value of a card file as JSON can hold it: models by their keys, effects (dataclasses) by their text."""
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if is_dataclass(value):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


def _sentence(model: type[CardFile], document: dict[str, Any], source: str, error: pydantic.ValidationError) -> str:
    """A validation error as one sentence that names the file, the card and the field."""
    place, message = first_problem(model, error)
    where = f"{source}: "
    if len(place) >= 2 and place[0] == "types" and isinstance(place[1], int):
        where += f"{_card_label(document, place[1])}: "
        place = place[2:]
    if place:
        where += f"field {shown(dotted(place))}{':' if message.startswith(QUOTE) else ''} "
    return f"{where}{message}."


def _card_label(document: dict[str, Any], index: int) -> str:
    """What a message calls the card at `index` of the list: its id, where it has one, and its place."""
    entry = document["types"][index]
    card_id = entry.get("id") if isinstance(entry, dict) else None
    return f"card {shown(card_id)} (types[{index}])" if isinstance(card_id, str) else f"types[{index}]"

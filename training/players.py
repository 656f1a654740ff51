"""The players of a comparison, as they are written on a command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cardzoo.envs.core.errors import AgentError


@dataclass(frozen=True)
class Player:
    """A player in a comparison: its name in the tables and what it is made from."""

    label: str
    spec: str


def parse_players(text: str | Sequence[str]) -> list[Player]:
    """Read a list of players: "random,greedy" or "search:simulations=200,depth=3,model:a.safetensors@mine".

    A part key=value belongs to the player before it if that one has settings. A label of one's own follows an @.

    Raises:
        AgentError: nothing listed, or two players of one name (a player is not matched against itself).
    """
    parts: list[str] = []
    for piece in text.split(",") if isinstance(text, str) else text:
        if parts and isinstance(text, str) and ":" in parts[-1] and re.fullmatch(r"\s*\w+=[^:]*", piece):
            parts[-1] += f",{piece.strip()}"
        elif piece.strip():
            parts.append(piece.strip())
    players = []
    for part in parts:
        match = re.fullmatch(r"(.+)@([\w.-]+)", part)
        players.append(Player(match[2], match[1]) if match else Player(part, part))
    if not players:
        raise AgentError("no players are listed: give names with commas between them, for example random,greedy")
    labels = [player.label for player in players]
    for label in labels:
        if labels.count(label) > 1:
            raise AgentError(
                f"player {label!r} is listed twice: a player is not matched against itself; "
                f"to compare two copies give one a label of its own, {label}@copy"
            )
    return players

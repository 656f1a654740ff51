"""Reading YAML documents that people write: safe, without duplicate keys, with one clear sentence for each mistake."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from cardzoo.envs.core.errors import CardzooError
from cardzoo.envs.core.fields import shown

MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    """YAML's safe loader, but with text keys only, and a key given twice in one mapping is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Build a mapping, refusing what YAML would read as true or overwrite in silence."""
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == MERGE:
                continue
            key = self.construct_object(key_node, deep=True)  # type: ignore[no-untyped-call]
            problem = ""
            if not isinstance(key, str):
                problem = f"a key must be text, not {shown(key)} (put it in quotes if it is meant as text)"
            elif key in seen:
                problem = f"key {shown(key)} is there twice"
            if problem:
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def parse_mapping(text: str, source: str, error: type[CardzooError]) -> dict[str, Any]:
    """Parse a YAML text whose top level is a mapping with text keys.

    Args:
        text: the document.
        source: name of the file for messages.
        error: class of the error to raise.

    Raises:
        CardzooError: of class `error`; names the file and, for a syntax error, the line and column.
    """
    try:
        document = yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        reason = problem.problem or ""
        if not reason or reason.startswith("but "):
            reason = f"{problem.context} {reason}".strip()
        raise error(f"{source}{place}: the YAML cannot be read: {reason}.") from None
    except (yaml.YAMLError, ValueError, OverflowError) as problem:
        raise error(f"{source}: the YAML cannot be read: {' '.join(str(problem).split())}.") from None
    except RecursionError:
        raise error(f"{source}: the YAML cannot be read: it is nested too deeply.") from None
    if document is None:
        raise error(f"{source}: the file is empty; a mapping (key: value) is needed.")
    if not isinstance(document, dict):
        raise error(f"{source}: the top level must be a mapping (key: value), not a {_kind(document)}.")
    return document


def read_text(path: Path, what: str, error: type[CardzooError]) -> str:
    """The text of a UTF-8 file.

    Args:
        path: the file.
        what: what it should be, for messages ("card file").
        error: class of the error to raise when it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise error(f"{path}: there is no such {what}.") from None
    except IsADirectoryError:
        raise error(f"{path}: this is a folder, not a {what}.") from None
    except UnicodeDecodeError:
        raise error(f"{path}: this is not a {what}, because it is not UTF-8 text.") from None
    except (OSError, ValueError) as problem:
        raise error(f"{path}: the {what} cannot be read: {getattr(problem, 'strerror', None) or problem}.") from None


def _kind(value: Any) -> str:
    """What a YAML value is, for people."""
    return {list: "list", str: "text", int: "number", float: "number", bool: "truth value"}.get(type(value), "scalar")

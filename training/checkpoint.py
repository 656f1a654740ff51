"""Checkpoints: numbered .safetensors files that are there whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as safetensors_bytes

from cardzoo.agents.files import write_atomically

PATTERN = re.compile(r"checkpoint_(\d+)\.safetensors")


class Checkpoint(NamedTuple):
    """What a training run needs to go on: tensors, and JSON-able values."""

    path: Path
    tensors: dict[str, torch.Tensor]
    values: dict[str, Any]


def numbered(folder: Path) -> list[tuple[int, Path]]:
    """List the checkpoint files of a folder, oldest first, damaged ones included."""
    found = ((PATTERN.fullmatch(path.name), path) for path in folder.glob("checkpoint_*.safetensors"))
    return sorted((int(match[1]), path) for match, path in found if match)


def save(folder: Path, tensors: dict[str, torch.Tensor], values: dict[str, Any], keep: int) -> Path:
    """Write the next checkpoint, then delete all but the newest `keep`. No file is ever written over."""
    existing = numbered(folder)
    number = existing[-1][0] + 1 if existing else 1
    path = folder / f"checkpoint_{number:06d}.safetensors"
    data = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    meta = {"values": json.dumps(values), "digest": _digest(data)}
    write_atomically(path, safetensors_bytes(data, meta))
    for _, old in existing[: max(0, len(existing) + 1 - keep)]:
        old.unlink(missing_ok=True)
    return path


def newest(folder: Path) -> Checkpoint | None:
    """Read the newest checkpoint that is not damaged; warns about those that are. None if there is none."""
    for _, path in reversed(numbered(folder)):
        try:
            return read(path)
        except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
            warnings.warn(f"{path} is damaged and skipped ({error})", stacklevel=2)
    return None


def read(path: Path) -> Checkpoint:
    """Read one checkpoint; ValueError if its content is not what was written."""
    with safe_open(path, framework="pt") as file:
        meta = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    values = json.loads(meta["values"])
    if meta["digest"] != _digest(tensors):
        raise ValueError("its content does not match its checksum")
    return Checkpoint(path, tensors, values)


def _digest(tensors: dict[str, torch.Tensor]) -> str:
    """Return a checksum of all tensors."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()


def read_values(path: Path) -> dict[str, Any]:
    """Read only the JSON-able values of a checkpoint; {} if it is damaged."""
    try:
        with safe_open(path, framework="pt") as file:
            values: dict[str, Any] = json.loads(file.metadata()["values"])
            return values
    except (SafetensorError, OSError, KeyError, TypeError, json.JSONDecodeError):
        return {}


def pack_optimizer(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """Return an optimizer's state as named tensors."""
    state = optimizer.state_dict()["state"]
    return {
        f"optimizer.{index}.{key}": torch.as_tensor(value)
        for index, entry in state.items()
        for key, value in entry.items()
    }


def unpack_optimizer(optimizer: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]) -> None:
    """Put a state made by `pack_optimizer` back."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, index, key = name.split(".", 2)
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def pack_random() -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Return the states of torch's and NumPy's global generators, which MaskablePPO draws from."""
    _, keys, position, has_gauss, gauss = np.random.get_state()  # noqa: NPY002 - the global one is what it draws from
    tensors = {
        "random.torch": torch.get_rng_state(),
        "random.numpy": torch.from_numpy(np.asarray(keys).astype(np.int64)),
    }
    return tensors, {"position": int(position), "has_gauss": int(has_gauss), "gauss": float(gauss)}


def unpack_random(tensors: dict[str, torch.Tensor], values: dict[str, Any]) -> None:
    """Put states made by `pack_random` back."""
    torch.set_rng_state(tensors["random.torch"])
    keys = tensors["random.numpy"].numpy().astype(np.uint32)
    np.random.set_state(("MT19937", keys, values["position"], values["has_gauss"], values["gauss"]))  # noqa: NPY002

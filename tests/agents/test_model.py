"""Model files: what they hold, what is refused."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save

from cardzoo.agents import make_agent
from cardzoo.agents.model import (
    FORMAT,
    ModelAgent,
    ModelInfo,
    NetworkSizes,
    PolicyNetwork,
    check_fits,
    draw,
    layout_hash,
    save_model,
)
from cardzoo.envs import ModelError, load
from tests.agents.test_players import decisions
from tests.conftest import ROOT
from tests.tiny_game import TinyGame


@pytest.fixture
def network(tiny):
    torch.manual_seed(0)
    return PolicyNetwork(NetworkSizes(tiny.observation_size, tiny.num_actions, trunk=(8,), policy=(4,), value=()))


@pytest.fixture
def path(tiny, network, tmp_path):
    path = tmp_path / "model.safetensors"
    save_model(path, network.state_dict(), ModelInfo.of(tiny, network.sizes, 123, {"cardzoo": "0"}))
    return path


def rewrite(path, tensors=None, **meta):
    """Change a file's tensors and description."""
    with safe_open(path, framework="pt") as file:
        old_meta = file.metadata()
        old = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    info = json.loads(old_meta["info"])
    for key in list(meta):
        if key in info:
            info[key] = meta.pop(key)
    path.write_bytes(save({**old, **(tensors or {})}, {**old_meta, "info": json.dumps(info), **meta}))


def test_a_fresh_process_gives_the_same_choices(tiny, network, path):
    _, batch = decisions(tiny, 30)
    here = ModelAgent(tiny, network).act(batch)
    code = (
        "import sys, numpy as np\n"
        "from cardzoo.agents import make_agent\n"
        "from tests.agents.test_players import decisions\n"
        "from tests.tiny_game import TinyGame\n"
        "game = TinyGame()\n"
        f"agent = make_agent({f'model:{path}'!r}, game)\n"
        "print(agent.act(decisions(game, 30)[1]).tolist())\n"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(out.stdout) == here.tolist()


def test_a_model_plays_legal_moves_only_and_the_likeliest(tiny, network):
    _, batch = decisions(tiny, 40)
    with torch.no_grad():
        network.policy_out.bias += torch.tensor([1e6, 0, 0])  # wants action 0 whatever is legal
    agent = ModelAgent(tiny, network)
    actions = agent.act(batch)
    assert batch.masks[np.arange(40), actions].all()
    assert (actions[batch.masks[:, 0]] == 0).all()
    assert (actions[~batch.masks[:, 0]] > 0).any()


def test_sampling_follows_the_probabilities_and_its_own_stream(tiny, network):
    _, batch = decisions(tiny, 1, moves=0)
    many = batch.subset(np.zeros(20000, dtype=np.intp))
    agent = ModelAgent(tiny, network, sample=True, seed=4)
    actions = agent.act(many)
    expected = torch.softmax(agent.logits(batch.observations, batch.masks), dim=1)[0].numpy()
    np.testing.assert_allclose(np.bincount(actions, minlength=3) / 20000, expected, atol=0.015)
    np.random.seed(1)  # noqa: NPY002
    torch.manual_seed(1)
    np.testing.assert_array_equal(agent.fresh(4).act(many), actions)
    assert (agent.fresh(5).act(many) != actions).any()
    cold = ModelAgent(tiny, network, sample=True, temperature=1e-4).act(many)
    np.testing.assert_array_equal(cold, ModelAgent(tiny, network).act(many))


def test_drawing_never_gives_an_illegal_action_even_at_the_edge():
    class Edge:
        def random(self, count):
            return np.full(count, 1 - 2**-53)

    masks = np.array([[True, True, False], [False, True, False]])
    logits = torch.zeros(2, 3).masked_fill(~torch.from_numpy(masks), -1e8)
    np.testing.assert_array_equal(draw(logits, masks, Edge()), [1, 1])


def test_players_are_made_from_files_and_folders(tiny, path):
    for spec in (f"model:{path}", f"model:{path.parent}", f"model:{path},sample=true,temperature=0.5"):
        agent = make_agent(spec, tiny)
        assert agent.name == spec
        assert agent.info.steps == 123
    assert agent.sample
    assert agent.temperature == 0.5
    restored = pickle.loads(pickle.dumps(agent))
    assert restored.temperature == 0.5
    with pytest.raises(ModelError, match="sample must be true or false"):
        make_agent(f"model:{path},sample=3", tiny)
    with pytest.raises(ModelError, match="temperature must be"):
        make_agent(f"model:{path},temperature=0", tiny)


def test_options_may_differ_when_the_layout_is_the_same(path):
    assert make_agent(f"model:{path}", TinyGame(hand=3)).info.options == {"hand": 2, "max_tricks": 0}


def test_a_model_for_another_card_set_is_refused(path, tmp_path):
    cards = tmp_path / "cards.yaml"
    cards.write_text((ROOT / "tests" / "tiny_game.yaml").read_text().replace("rank: 3", "rank: 4"))
    with pytest.raises(ModelError, match="another card set") as caught:
        make_agent(f"model:{path}", TinyGame(cards=cards))
    assert "\n" not in str(caught.value)


def test_a_model_of_a_large_game_plays_the_same_table_only(tmp_path):
    """Other cards, seats or seat blocks are refused; other rules and teams are not."""
    game = load("battle_requiem", seats=4)
    sizes = NetworkSizes(game.observation_size, game.num_actions, trunk=(8,), policy=(), value=())
    path = tmp_path / "model.safetensors"
    save_model(path, PolicyNetwork(sizes).state_dict(), ModelInfo.of(game, sizes, 1, {"cardzoo": "0"}))
    for options in ({"seats": 4}, {"teams": [0, 1, 0, 1], "returns": "placement", "characters": "draft"}):
        assert make_agent(f"model:{path}", load("battle_requiem", **options)).info.steps == 1
    cards = tmp_path / "cards.yaml"
    cards.write_text(game.cards.text.replace("brn: 10", "brn: 11"))
    for options, message in (
        ({"seats": 4, "cards": cards}, "another card set"),
        ({"seats": 3}, "made for 4 seats, this game has 3"),
        ({"seats": 4, "obs_seats": 6}, "another layout of observations or actions"),
    ):
        with pytest.raises(ModelError, match=message) as caught:
            make_agent(f"model:{path}", load("battle_requiem", **options))
        assert "\n" not in str(caught.value)
    with pytest.raises(ModelError, match="made for the game 'battle_requiem', not for 'bedroom_battle'"):
        make_agent(f"model:{path}", load("bedroom_battle"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "other"}, "made for the game 'other', not for 'tiny'"),
        ({"num_seats": 4}, "made for 4 seats, this game has 2"),
        ({"layout_hash": "0"}, "another layout"),
        ({"format": "else"}, "not a cardzoo model"),
        ({"format_version": "9"}, "format version '9' cannot be read"),
        ({"network": {"observation_size": 3, "num_actions": 3}}, "takes 3 features"),
        ({"network": {"observation_size": 14, "num_actions": 3, "activation": "eval"}}, "unknown activation 'eval'"),
        ({"network": {"observation_size": 14, "num_actions": 3, "trunk": [9]}}, "do not fit the network"),
        ({"network": 3}, "description cannot be read"),
        ({"tensors": {"policy_out.bias": torch.tensor([0.0, float("nan"), 0.0])}}, "not finite"),
        ({"tensors": {"policy_out.bias": torch.zeros(7)}}, "do not fit the network"),
        ({"tensors": {"extra": torch.zeros(7)}}, "do not fit the network"),
    ],
)
def test_files_made_for_something_else_are_refused_in_one_sentence(tiny, path, change, message):
    rewrite(path, **change)
    with pytest.raises(ModelError, match=message) as caught:
        make_agent(f"model:{path}", tiny)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("keep", [0, 4, 100, -1])
def test_a_truncated_file_is_refused_in_one_sentence(tiny, path, keep):
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelError, match=r"damaged or not a \.safetensors file"):
        make_agent(f"model:{path}", tiny)


def test_other_files_are_refused_and_never_unpickled(tiny, tmp_path):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("the file was unpickled",))

    path = tmp_path / "model.safetensors"
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelError, match="damaged"):
        make_agent(f"model:{path}", tiny)
    path.write_bytes(save({"a": torch.zeros(1)}))
    with pytest.raises(ModelError, match=f"not a cardzoo model .its format is None, not '{FORMAT}'"):
        make_agent(f"model:{path}", tiny)
    with pytest.raises(ModelError, match="no such file"):
        make_agent(f"model:{tmp_path / 'nothing'}", tiny)


def test_the_layout_hash_follows_the_version(tiny, monkeypatch):
    before = layout_hash(tiny)
    monkeypatch.setattr(TinyGame, "version", 1)
    assert layout_hash(tiny) != before
    info = ModelInfo("tiny", 2, tiny.hash, before, {}, NetworkSizes(14, 3))
    with pytest.raises(ModelError, match="another layout"):
        check_fits(info, tiny, "model x")

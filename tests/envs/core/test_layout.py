"""Layouts: blocks fill a vector without gaps, and can be looked up by name and by index."""

from __future__ import annotations

import pytest

from cardzoo.envs.core.layout import Block, Layout


@pytest.fixture
def layout():
    return Layout([Block("hand", (4,), "counts"), Block("board", (2, 3), "appeal / 8"), Block("pass", (1,))])


def test_blocks_follow_each_other(layout):
    assert len(layout) == 11
    assert [(block.name, block.start, block.stop) for block in layout] == [
        ("hand", 0, 4),
        ("board", 4, 10),
        ("pass", 10, 11),
    ]
    assert layout["board"] == slice(4, 10) == layout.block("board").slice
    assert "board" in layout
    assert "deck" not in layout


def test_every_index_belongs_to_one_place(layout):
    places = [layout.at(index) for index in range(len(layout))]
    assert places[5] == (layout.block("board"), (0, 1))
    assert places[9][1] == (1, 2)
    assert len({(block.name, place) for block, place in places}) == len(layout)
    for index in (-1, 11):
        with pytest.raises(IndexError, match=r"outside 0\.\.10"):
            layout.at(index)


def test_unknown_block_is_named_with_those_there_are(layout):
    with pytest.raises(KeyError, match="no block 'deck'; the blocks are hand, board, pass"):
        layout["deck"]


def test_two_blocks_of_one_name_and_negative_sizes_are_refused():
    with pytest.raises(ValueError, match="two blocks are named 'a'"):
        Layout([Block("a", (1,)), Block("a", (2,))])
    with pytest.raises(ValueError, match="negative"):
        Layout([Block("a", (-1,))])


def test_hash_changes_with_names_shapes_and_order_but_not_with_texts(layout):
    same = Layout([Block("hand", (4,), "other words"), Block("board", (2, 3)), Block("pass", (1,))])
    assert same.hash == layout.hash
    assert same != layout
    others = [
        Layout([Block("hand", (4,)), Block("board", (3, 2)), Block("pass", (1,))]),
        Layout([Block("board", (2, 3)), Block("hand", (4,)), Block("pass", (1,))]),
        Layout([Block("hands", (4,)), Block("board", (2, 3)), Block("pass", (1,))]),
    ]
    assert len({layout.hash, *(other.hash for other in others)}) == 4


def test_printed_table_has_a_line_for_each_block(layout):
    lines = str(layout).splitlines()
    assert lines[0].split() == ["from", "to", "block", "shape", "meaning"]
    assert lines[2].split() == ["4", "9", "board", "2x3", "appeal", "/", "8"]

"""Fixtures for the tests of environments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.aec import strict_warnings


@pytest.fixture
def strict() -> Iterator[None]:
    """Warnings are errors, but for those that every environment with dict observations gets."""
    with strict_warnings():
        yield

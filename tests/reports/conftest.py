"""The same workspace with hooks as in tests/hooks."""

from __future__ import annotations

from tests.hooks.conftest import early_june, hooked, hooked_template

__all__ = ["early_june", "hooked", "hooked_template"]

"""All shapes, by group."""

from __future__ import annotations

from collections.abc import Mapping

from tests.poison import (
    comment_parsing,
    consolidation,
    content,
    file_and_path,
    git_history,
    hidden_and_unicode,
    loading,
    markdown_structure,
    provenance_forgery,
    tampering,
    time_and_ttl,
    tool_robustness,
)
from tests.poison.shapes import Shape

GROUPS: Mapping[str, tuple[Shape, ...]] = {
    "Forged provenance": provenance_forgery.SHAPES,
    "Time and ttl": time_and_ttl.SHAPES,
    "Parsing of comments": comment_parsing.SHAPES,
    "Structure of the markdown": markdown_structure.SHAPES,
    "Hidden text and Unicode": hidden_and_unicode.SHAPES,
    "Files and paths": file_and_path.SHAPES,
    "Words": content.SHAPES,
    "Commits and refs": git_history.SHAPES,
    "Policy and hooks": tampering.SHAPES,
    "What is loaded": loading.SHAPES,
    "Upkeep": consolidation.SHAPES,
    "The gate itself": tool_robustness.SHAPES,
}

SHAPES = tuple(shape for shapes in GROUPS.values() for shape in shapes)

MUTATIONS = tuple(variant for shape in SHAPES for variant in shape.variants())

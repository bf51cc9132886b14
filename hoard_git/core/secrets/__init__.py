"""Leaked credentials in memory files: rules as data, a grammar of natural language, decoders; pure and quick to import."""

from hoard_git.core.secrets.detect import BUILTIN, Match, Ruleset, allows_here, find_secrets, fingerprint, mask
from hoard_git.core.secrets.vendors import ruleset_from_data

__all__ = ["BUILTIN", "Match", "Ruleset", "allows_here", "find_secrets", "fingerprint", "mask", "ruleset_from_data"]

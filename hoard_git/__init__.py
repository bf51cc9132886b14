"""Git-backed memory for AI agents: provenance for every line, a gate in front of every change."""

__version__ = "0.1.0"

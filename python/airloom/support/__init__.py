"""Helpers that every other part uses: reading, writing, formatting, statistics."""

"""Runs of scenarios, by the engine."""

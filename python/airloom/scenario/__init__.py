"""Scenario files and grids of them."""

"""Sweeps: a grid of runs on all cores, kept as they finish, and their numbers in one table."""

"""Captures that others made, of networks in which what is wrong is known: `airloom diagnose` has to find it."""

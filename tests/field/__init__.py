"""Captures that strangers made: what their frames prove of each rule, and what airloom says of them."""

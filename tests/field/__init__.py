"""Captures that strangers made: what their frames prove of each rule, and small inputs as their networks have them."""

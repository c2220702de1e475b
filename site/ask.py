"""Prints numbers of a bundle's summary: `ask.py BUNDLE '{flows[0][retransmissions]:,}'`."""

import sys

import airloom

_, bundle, wanted = sys.argv
sys.stdout.write(wanted.format_map(airloom.load(bundle).summary) + "\n")

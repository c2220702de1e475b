"""Stations that roam, beside wpa_supplicant and iwd themselves over simulated radios."""

"""Captures of Linux's own 802.11 and daemons over simulated radios (`mac80211_hwsim`), which the test bed makes."""

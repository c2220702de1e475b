"""Analyses of a bundle: scan periods, sleeping periods, the transfer as the sender sees it."""

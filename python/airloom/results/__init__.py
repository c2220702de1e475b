"""A run bundle and what its files hold."""

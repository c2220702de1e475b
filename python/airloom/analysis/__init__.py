"""What can be found out from a bundle: scan periods, sleeping periods, the transfer seen at the sender."""

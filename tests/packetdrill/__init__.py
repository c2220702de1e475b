"""airloom's TCP under the scripts of packetdrill, in virtual time."""

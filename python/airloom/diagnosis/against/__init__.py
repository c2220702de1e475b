"""What changed between captures of before and captures of after."""

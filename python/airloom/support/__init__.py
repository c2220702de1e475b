"""What every other part needs and what knows none of them: reading, writing and formatting."""

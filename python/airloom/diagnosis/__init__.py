"""What rules find in captures."""

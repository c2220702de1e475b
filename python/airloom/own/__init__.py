"""What a user brings: classes of their own that scenarios name as they name what is built in."""

"""What `import airloom` gives: thin functions over the rooms below, and what they return."""

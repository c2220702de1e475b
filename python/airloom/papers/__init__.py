"""Published experiments, run again here, and held against what was published."""

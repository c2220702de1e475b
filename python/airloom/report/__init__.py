"""The report: one HTML file that shows every layer of a run on one time axis, and needs nothing beside it."""

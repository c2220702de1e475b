"""Sheets for a class: each student gets values of their own, and what is handed in is graded by runs of our own."""

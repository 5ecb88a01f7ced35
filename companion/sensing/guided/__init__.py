"""Guided steps: a person sets up the table, one thing at a time; each step is a machine without a clock of its own."""

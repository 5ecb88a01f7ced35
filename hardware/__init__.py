"""The table's hardware: one geometry from which everything that depends on a place is made."""

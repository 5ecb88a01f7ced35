"""The virtual table: stones, hands and a board that speaks the bytes of a real one, for people and for fault tests.

It never judges sensing: its field is near what sensing assumes. Lengths in mm, masses in g, moments in A.m2, times in
seconds of the table's own clock; x, y along the table, z up from the mats' top.
"""

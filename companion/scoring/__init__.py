"""How well recordings were read: `companion score`.

scorer.py stands here word for word as it comes with the recordings, with its own main and self-test, so that both
give the same figures: it is left out of ruff and mypy, and a test holds it to the original, byte for byte. Do not
edit it; what this project adds is beside it.
"""

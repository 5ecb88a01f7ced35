"""What older versions of the rules decide otherwise, so that a game goes on under the version of its last entry.

A version is a number; each name here is a decision and the version since which it is so. Code that decides it asks
`h.state.rules >= NAME`. A new version is a new name, NEWEST, and a game of the one before in tests/data/rules.
"""

from typing import Final

SEEN_AGAIN: Final = 5
"""A stone of a pile that is seen in a cluster on its way there is no reason to have another one taken (Y21)."""
TOLD_ONCE: Final = 6
"""A fallen stone that counts as taken is ruled so once (Y35)."""
BRINGERS: Final = 7
"""One that was told as taken by another, and is the bringer's, is ruled as taken by the bringer (Y29)."""
OF_NO_ROUND: Final = 8
"""One that lay there as the round was begun stays none of it in a collapse: no other is taken in its stead (Y21)."""
DENIED: Final = 9
"""One that is seen, and people insist does not lie there, is in no hand and none of the round (Y21, Y22)."""

OLDEST: Final = 4
"""Games of 1 to 3 go on under it."""
NEWEST: Final = 9

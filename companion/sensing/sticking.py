"""Bodies that have touched become one; before a collapse is told its stones are counted again."""

from companion.sensing import approaching
from companion.sensing.clusters import join, part
from companion.sensing.contacts import Contact
from companion.sensing.movers import Phase
from companion.sensing.recheck import doubted
from companion.sensing.scene import Scene
from companion.table import BoardTime


def contact(scene: Scene, c: Contact, t_us: BoardTime) -> None:
    """Make the two one body, and count it to a collapse."""
    a, b = c.a, c.b
    stones = set(a.body.tracks) | set(b.body.tracks)
    in_hand = Phase.HAND in (a.phase, b.phase)
    at = 0.5 * (a.body.centre + b.body.centre)
    for m in (a, b):
        approaching.approach(scene, m)
        if m.phase is Phase.BOARD:
            scene.lain |= set(m.body.tracks)
    join(scene.tracker, a, b, c.body, t_us)
    scene.collapses.touch(c.t_us, stones, at, in_hand)
    scene.disturbed = True


def confirm(scene: Scene, t_us: BoardTime) -> None:
    """Before a collapse is told: is every stone of it there? One that came and left again touched none."""
    for stones in scene.collapses.ripe(t_us):
        for m in list(scene.tracker.movers):
            if m.single or not stones & set(m.body.tracks):
                continue
            while not m.single:
                doubt = doubted(scene.tracker, m, sorted(stones & set(m.body.tracks)))
                if doubt is None:
                    break
                gone = part(scene.tracker, m, doubt.track, doubt.rest)
                scene.collapses.without(doubt.track)
                if doubt.track not in scene.lain:
                    gone.phase = Phase.HAND
                scene.tracker.newborn.parked.append((t_us, gone))
                if m.single and m.phase is Phase.LIFTED and m.body.tracks[0] in scene.lain and m.high_us is None:
                    m.phase = Phase.BOARD

"""What was followed as a pair is two bodies again: they have not touched."""

from collections.abc import Sequence

from companion.sensing.events.resting import stones_of
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.bodies import part as part_of
from companion.sensing.tracks.clusters import parted
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime, EventKind, Evidence, Note, TableEvent


def two_again(scene: Scene, m: Mover, seen: Sequence[Body], rest: bool, note: Note, t_us: BoardTime) -> None:
    """Follow each of the pair m by itself, where it is seen (one or both of them); rest: they lie there as they lay
    before. A collapse of them that has been told is taken back, note: why.
    """
    tracker, stones = scene.tracker, m.body.tracks
    tracker.drop(m)
    followed = []
    for body in seen:
        phase = Phase.BOARD if body.tracks[0] in scene.lain else Phase.HAND
        alone = parted(tracker, body, phase, m.born_us)
        alone.still_us, alone.held = t_us, phase is Phase.HAND
        alone.rested = body.centre if rest else None
        alone.evidence, alone.kept = 300.0, tracker.model.fields(body.stones).sum(0)
        followed.append(alone)
    tracker.movers += followed
    others = [k for k, track in enumerate(stones) if not any(track in body.tracks for body in seen)]
    for k in others:  # it is elsewhere, or it is none: what is born next is it
        phase = Phase.LIFTED if stones[k] in scene.lain else Phase.HAND
        gone = parted(tracker, part_of(m.body, [k]), phase, m.born_us)
        gone.held = True
        tracker.newborn.parked.append((t_us, gone))
    tracker.own()
    tracker.newborn.again()
    scene.disturbed = True
    if not scene.collapses.refuted(stones):
        return
    lie = [o for o in followed if o.phase is Phase.BOARD]
    scene.events.append(
        TableEvent(
            EventKind.REFUTED,
            t_us,
            tuple(sorted(stones)),
            len(stones),
            t_us,
            rest=tuple(s for o in lie for s in stones_of(o, False, tracker.identity.names)),
            evidence=Evidence(note=note),
        )
    )

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
    for body in seen:
        phase = Phase.BOARD if rest or body.tracks[0] in scene.lain else Phase.HAND
        alone = parted(tracker, body, phase, m.born_us)
        alone.still_us, alone.held = t_us, phase is Phase.HAND
        alone.rested = body.centre if rest else None
        alone.evidence, alone.kept = 300.0, tracker.model.fields(body.stones).sum(0)
        tracker.movers.append(alone)
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
    lie = tuple(s for o in tracker.movers if o.body in seen for s in stones_of(o, False, tracker.identity.names))
    scene.events.append(
        TableEvent(
            EventKind.REFUTED,
            t_us,
            tuple(sorted(stones)),
            len(stones),
            t_us,
            rest=lie if rest else tuple(s for s in lie if s.track in scene.lain),
            evidence=Evidence(note=note),
        )
    )

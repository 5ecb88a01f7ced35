"""A live table for the table process: its link by the kind of source, its sensing by table.json."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.clock import SystemClock
from companion.process.common.stored import Store, stored_for
from companion.process.table.feed import STALE_US, Feed
from companion.process.table.guiding import Guiding
from companion.process.table.snapshot import Snapshots, first_track
from companion.process.table.witness import witness_in
from companion.sensing.learning.learned import Learned
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from drivers.links.lasting import LastingLink
from drivers.power import power_faults
from drivers.reconnect import HELLO_US, SILENT_US, Reconnect
from drivers.recording import read_table
from drivers.wire.framing import seal
from drivers.wire.greeting import GREETING
from drivers.wire.messages import Rate

RADIO_PACE = seal(Rate(4, 3000).encode())
"""What a radio bridge carries: 3 kB a second, in 25 parts."""
_COMMANDS = {"serial": GREETING, "ble": GREETING + RADIO_PACE}


def live_feed(
    kind: str, place: str, table_file: Path, clock: SystemClock, store: Path | None = None
) -> tuple[Feed, Guiding]:
    """A feed over a link that lasts, and the setting up of its table. kind: "serial" or "ble"; place: port or address,
    "" to look for one; store: the data folder with the stored calibrations, where clips of what may be doubted go too.

    Raises RecordingError or ValueError where table.json cannot be used, StoredError where what is stored cannot.
    """
    table = read_table(table_file)
    layout = TableLayout.from_json(table)
    found = stored_for(store, layout.table_id)
    memory = None if store is None else Snapshots(store, layout.table_id).load()
    if found is not None:
        layout = found.applied(layout, as_laid=True)
    sensing = Sensing(layout, None if found is None else found.stones, memory, first_track())
    witness = witness_in(store, table, clock.label)
    guiding = Guiding(
        table,
        live_sensing,
        found,
        sensing=sensing,
        store=None if store is None else Store(store),
        file=table_file,
        label=clock.label,
        speed=clock.speed,
        relaid=(lambda table: None) if witness is None else witness.relaid,
    )
    feed = Feed(
        live_link(kind, place, clock),
        guiding,
        sensors=layout.count,
        table_id=layout.table_id,
        clock=clock,
        stale_us=round(STALE_US * clock.speed),
        power=power_faults,
        witness=witness,
        again=_COMMANDS.get(kind, b""),
        pace=sensing.pace,
    )
    return feed, guiding


def live_sensing(table: Mapping[str, Any], found: Learned | None) -> Sensing:
    """Sensing of a live table that begins anew. Raises ValueError where what was learned is of other sensors."""
    layout = TableLayout.from_json(table)
    if found is None:
        return Sensing(layout)
    return Sensing(found.applied(layout, as_laid=True), found.stones)


def live_link(kind: str, place: str, clock: SystemClock) -> LastingLink:
    """The link of a live source; the library that it needs is loaded here. Raises ValueError for another kind."""
    if kind == "serial":
        from drivers.links.serial import SerialOpener

        return LastingLink(SerialOpener(clock, Path(place) if place else None), clock, _limits(clock), _COMMANDS[kind])
    if kind == "ble":
        from drivers.links.ble import HELLO_US as RADIO_HELLO_US
        from drivers.links.ble import BleOpener

        opener = BleOpener(clock, place)
        return LastingLink(opener, clock, _limits(clock, RADIO_HELLO_US), _COMMANDS[kind], opener.close)
    raise ValueError(f"there is no link of kind {kind!r}")


def _limits(clock: SystemClock, hello_us: int = HELLO_US) -> Reconnect:
    """Real time, also where the clock runs faster."""
    return Reconnect(round(hello_us * clock.speed), round(SILENT_US * clock.speed))

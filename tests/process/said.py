"""A game with sensors whose players say how the stones lie, while its sensors show what a test has them show."""

from typing import Any

from companion.process.kinds.yikerz import yikerz
from companion.table import Complete, EventKind, Health, Picture, Stone, TableEvent
from companion.views.port import Answer
from tests.process.service import Bench, S

LIES = (Stone(0, 10.0, 20.0), Stone(1, -40.0, 5.0))


class Table(Bench):
    """A game with sensors in which both players have put a stone, 0 and 1. lay: what lay there as it was begun."""

    def __init__(self, *lay: Stone) -> None:
        super().__init__(kinds={"yikerz": yikerz()})
        self.link_up()
        self.game = self.new_game(sensors=True, players=["Ana", "Beto"], dealer=0)
        self.shows(*lay)
        self.answered("start", anyway=True)
        for track in (0, 1):
            self.tells(EventKind.APPROACH, track)
            self.tells(EventKind.RELEASED, track)
            self.tells(EventKind.SETTLED, rest=(*LIES[: track + 1], *lay))
        self.shows(*LIES, *lay)

    def now_us(self) -> int:
        return self.clock.now_us() - self.offset_us

    def shows(self, *stones: Stone, state: str = "ok") -> None:
        """A moment later the sensors see these."""
        self.pass_time(S // 10)
        health = Health(self.now_us(), state, clock_offset_us=self.offset_us)
        self.hear(Picture(self.now_us(), stones), health, Complete(self.now_us()))

    def tells(self, kind: EventKind, *stones: int, rest: tuple[Stone, ...] = ()) -> None:
        self.pass_time(S)
        count = len(rest) if kind is EventKind.SETTLED else len(stones)
        self.hear(TableEvent(kind, self.now_us(), stones, count, self.now_us(), rest=rest), Complete(self.now_us()))

    def answered(self, name: str, **args: Any) -> Answer:
        """What becomes of a press, while the sensors see what they saw."""
        press_id = f"p{next(self.numbers)}"
        self.press(name, self.game, id=press_id, **args)
        self.pass_time(S // 10)
        self.complete(self.now_us())
        answer = self.press(name, self.game, id=press_id, **args)
        assert answer is not None
        return answer

    def newest(self, kind: str) -> Any:
        return [ruling["data"] for ruling in self.rulings(self.game) if ruling["kind"] == kind][-1]

    def question(self) -> int:
        (question,) = self.view(self.game)["questions"]
        return int(question["id"])


def with_a_phone() -> tuple[Table, Stone]:
    """What has been laid beside the stones is seen as one, and is asked about."""
    table, phone = Table(), Stone(8, 60.0, 60.0)
    table.shows(*LIES, phone)
    table.tells(EventKind.SETTLED, rest=(*LIES, phone))
    table.pass_time(4 * S)
    table.complete(table.now_us())
    return table, phone


def with_one_lifted() -> Table:
    """Stone 1 has left the board without a ruling, and what became of it is asked."""
    table = Table()
    table.tells(EventKind.LIFTED, 0)
    table.tells(EventKind.REMOVED, 0)
    table.shows(LIES[1])
    return table

"""From any state of ¡Yikerz! people find a way on: what they press, and that it leads somewhere."""

from companion.games.game import Advance, Command
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.names import Stage
from companion.games.yikerz.state import State
from companion.table import SECOND, BoardTime

_GAME = Yikerz()


def presses(state: State, t_us: BoardTime) -> Command | Advance | None:
    """What gets this state on: an answer, "removed", a stone, time, the next round; None where the game is over."""
    holding = [q for q in state.questions if q.holds]
    if holding and state.running:
        args = {"question": holding[0].number, "choice": holding[0].choices[0]}
        return Command("way", "answer", t_us, args=args)
    if state.stage in (Stage.REMOVING, Stage.PENALTY):
        return Command("way", "removed", t_us)
    if state.stage is Stage.TURN:
        return Command("way", "placed", t_us)
    if state.stage is Stage.COUNTDOWN:
        due = _GAME.next_due(state)
        assert due is not None, "the ten seconds run but nothing comes due"
        return Advance(max(t_us, due))
    if state.stage is Stage.ROUND_END and len(state.present) < min(2, len(state.players)):
        return Command("way", "add_player", t_us, args={"name": f"Way {len(state.players)}"})  # Y46
    if state.stage is Stage.ROUND_END:
        return Command("way", "next_round", t_us)
    return None


def check(state: State, t_us: BoardTime) -> None:
    """The way on is accepted at every step and ends a turn or a round; AssertionError where it is not."""
    turns, rounds = state.turns, len(state.rounds)
    for _ in range(12):
        due = _GAME.next_due(state)
        press = Advance(due) if due is not None and due <= t_us else presses(state, t_us)
        if press is None or state.turns != turns or len(state.rounds) != rounds:
            return
        step = _GAME.apply(state, press)
        assert step.refusal is None, f"{press} is refused: {step.refusal} in {state}"
        state, t_us = step.state, max(press.t_us, t_us) + SECOND
        if state.running and turns != state.turns:
            return
        if press == Command("way", "next_round", press.t_us):
            return
    raise AssertionError(f"no way on from {state}")

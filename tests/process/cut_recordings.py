"""Recorded games with their link cut, its messages lost, its board restarted or its bytes held up, beside the truth.

    python -m tests.process.cut_recordings FOLDER... [--seeds N] [--first N] [--modes cut,drop,reboot,stall]

Each seed does so once at a random moment and once about a snap, a fall, a stone lifted, placed and let go, the end of a
turn and the ten seconds, and watches what is ruled for a while. A ruling is wrong that is not so and that nobody was
asked about since; where the recording is judged wrongly even without, the cut is not blamed. After a stall all must be
exactly as without. Nobody answers: after a question it is only counted how often its best reading was right.
"""

import argparse
import json
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion.blas import use_one_thread
from companion.compiled import choose
from companion.games.game import Ruling
from companion.process.common.lines import ruling_object
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.feed import Feed
from drivers.links.replay import wire_frames
from drivers.recording import Recording, read_recording
from tests.drivers.handed import Handed

MODES = ("cut", "drop", "reboot", "stall")
KINDS = ("random", "collapse", "fell_off", "lifted", "placed", "released", "turn_end", "limit")
LENGTHS_S = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
STALL_S = 5.0
LOST = 0.4  # of the messages, where not all
REBOOTED = 77  # another boot id than a replay's
FIRST_S = 4.0  # the zeros are known then
NEAR_S = 3.0  # between the end of a turn and the ruling that it has ended
WATCHED_S = 30.0
LIMIT_S = 10.0
COUNTED = ("tried", "wrong", "questions", "asked", "guessed right")
S = 1_000_000


@dataclass(frozen=True, slots=True)
class Cut:
    """From `start_s` on for `length_s` the link is as `mode` says; seed: of what is lost of its messages."""

    mode: str
    kind: str
    start_s: float
    length_s: float
    seed: int

    @property
    def end_s(self) -> float:
        return self.start_s + self.length_s

    @property
    def name(self) -> str:
        return f"{self.mode} at {self.start_s:.3f} s for {self.length_s:g} s ({self.kind}, seed {self.seed})"


class Played:
    """One recording being refereed frame by frame; rulings: so far."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.rulings: list[Ruling] = []
        self._link = Handed()
        self._feed = Feed(self._link, recorded_sensing(recording), sensors=recording.sensors)
        self._judge = Judge(*recorded_game(recording.game))

    def take(self, now_us: int, data: bytes) -> None:
        self._link.data, self._link.now_us = data, now_us
        for report in self._feed.step():
            self.rulings += self._judge.take(report)


def cuts(truth: dict[str, Any], seed: int, modes: Sequence[str], kinds: Sequence[str]) -> Iterator[Cut]:
    """What one seed tries with a recording."""
    moments: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for event in truth["events"]:
        moments.get(event["event"], []).append(event["t"])
    moments["turn_end"] = [turn["t_end"] for turn in truth["turns"] if turn.get("t_end") is not None]
    moments["limit"] = [turn["t_clock"] + LIMIT_S for turn in truth["turns"] if turn.get("t_clock") is not None]
    last_s = truth["events"][-1]["t"]
    moments["random"] = [last_s * share for share in (0.1, 0.3, 0.5, 0.7, 0.9)]
    for number, kind in enumerate(KINDS):
        chance = random.Random(seed * len(KINDS) + number)
        mode = chance.choice(MODES)
        length_s = STALL_S if mode == "stall" else chance.choice(LENGTHS_S)
        about = [t for t in moments[kind] if FIRST_S < t < last_s]
        if kind not in kinds or mode not in modes or not about:
            continue
        spread = (-0.1, 0.1) if kind == "random" else (0.0, 0.0)
        start_s = chance.choice(about) + last_s * chance.uniform(*spread)
        start_s -= length_s * chance.uniform(-0.2, 1.0)
        yield Cut(mode, kind, round(max(FIRST_S, start_s), 3), length_s, seed)


def after(recording: Recording, cut: Cut) -> Iterator[tuple[int, bytes]]:
    """When what comes over the link from the cut on: microseconds after the first frame, bytes."""
    first_us, chance = int(recording.t_us[0]), random.Random(cut.seed)
    start_us, end_us = round(cut.start_s * S), round(cut.end_s * S)
    boot_us = max(0, end_us - S // 2)  # it starts a little before it is heard again
    again = recording
    if cut.mode == "reboot":
        again = replace(
            recording,
            t_us=recording.t_us - first_us - boot_us,
            load_t_us=recording.load_t_us - first_us - boot_us,
        )
        kept = again.t_us >= 0
        if not kept.any():  # it starts when the recording is over
            return
        heard = again.load_t_us >= again.t_us[kept][0]
        again = replace(
            again,
            t_us=again.t_us[kept],
            hall=again.hall[kept],
            lost=again.lost[kept],
            load_t_us=again.load_t_us[heard],
            load=again.load[heard],
        )
        late_us = boot_us + int(again.t_us[0])
        for at_us, data in wire_frames(again, REBOOTED):
            if at_us + late_us >= end_us:
                yield at_us + late_us, data
        return
    for at_us, data in wire_frames(recording):
        if at_us < start_us or (cut.mode == "cut" and at_us < end_us):
            continue
        if cut.mode == "drop" and at_us < end_us and chance.random() < LOST:
            continue
        yield (max(at_us, end_us) if cut.mode == "stall" else at_us), data


def watched(played: Played, cut: Cut, out: Connection) -> None:
    """Go on with the cut; tells its rulings. In a process of its own, which is a copy of what has been played."""
    until_us = round((cut.end_s + WATCHED_S) * S)
    for now_us, data in after(played.recording, cut):
        if now_us > until_us:
            break
        played.take(now_us, data)
    out.send([ruling_object(ruling) for ruling in played.rulings])


def played_with(folder: Path, some: Sequence[Cut]) -> tuple[list[dict[str, Any]], list[list[dict[str, Any]]]]:
    """The rulings without a cut, and those with each one."""
    recording = read_recording(folder)
    played, found = Played(recording), []
    left = sorted(some, key=lambda cut: cut.start_s)
    fork = multiprocessing.get_context("fork")
    for now_us, data in wire_frames(recording):
        while left and now_us >= left[0].start_s * S:
            here, there = fork.Pipe(duplex=False)
            child = fork.Process(target=watched, args=(played, left[0], there))
            child.start()
            there.close()
            found.append((left.pop(0), here.recv()))
            child.join()
        played.take(now_us, data)
    by_cut = dict(found)
    return [ruling_object(ruling) for ruling in played.rulings], [by_cut[cut] for cut in some]


@dataclass(frozen=True, slots=True)
class Verdict:
    """wrong: what was ruled wrongly, "" if nothing. asked: questions after the cut. guessed: piles were right after
    them too; None if none was asked."""

    wrong: str
    asked: int
    guessed: bool | None = None


def judged(truth: dict[str, Any], plain: list[dict[str, Any]], cut: Cut, rulings: list[dict[str, Any]]) -> Verdict:
    """What a cut has done to the rulings."""
    heard_again = cut.end_s < truth["duration"]
    until_s = min(cut.end_s + WATCHED_S, truth["duration"]) if heard_again else cut.start_s
    if cut.mode == "stall":
        last = max((r["t"] for r in rulings), default=0.0)
        return Verdict("" if rulings == [r for r in plain if r["t"] <= last] else "not as without", 0)
    asked = [r["t"] for r in rulings if r.get("asked") and r["t"] >= cut.start_s - 0.5]
    known = {(r["t"], r["ruling"]) for r in plain}
    asked_new = sum(1 for r in rulings if r.get("asked") and (r["t"], r["ruling"]) not in known)
    wrong = [(t, text) for t, text in _wrong(truth, plain, cut, rulings, until_s)]
    silent = [text for t, text in wrong if not asked or t < asked[0]]
    return Verdict(silent[0] if silent else "", asked_new, not wrong if asked else None)


def _wrong(
    truth: dict[str, Any], plain: list[dict[str, Any]], cut: Cut, rulings: list[dict[str, Any]], until_s: float
) -> Iterator[tuple[float, str]]:
    true = [turn for turn in truth["turns"] if turn.get("t_end") is not None]
    ruled, usual = ([r for r in each if r["ruling"] == "turn_end"] for each in (rulings, plain))
    for number, turn in enumerate(true):
        t_end = turn["t_end"]
        said = usual[number] if number < len(usual) else None
        if said is None or not _right(turn, said, NEAR_S):
            return  # it goes wrong without a cut
        now = ruled[number] if number < len(ruled) else None
        slack_s = NEAR_S + (cut.length_s if t_end > cut.start_s else 0.0)
        if now is None:
            if t_end + slack_s + LIMIT_S < until_s:
                yield t_end + slack_s, f"turn that ended at {t_end:.2f} s goes on"
            return
        if not _right(turn, now, slack_s):
            yield (
                now["t"],
                f"{now['t']:.2f} s: end of {now['player']}'s turn, piles {now['piles']}, but {turn['player']}'s ended "
                f"at {t_end:.2f} s with {turn['piles']}",
            )
            return


def _right(turn: dict[str, Any], ruling: dict[str, Any], slack_s: float) -> bool:
    same = ruling["player"] == turn["player"] and list(ruling["piles"]) == list(turn["piles"])
    return same and abs(ruling["t"] - turn["t_end"]) <= slack_s


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--kinds", default=",".join(KINDS))
    args = parser.parse_args()
    use_one_thread()
    choose()
    sums: Counter[str] = Counter()
    for folder in args.folders:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        seeds = range(args.first, args.first + args.seeds)
        some = [c for seed in seeds for c in cuts(truth, seed, args.modes.split(","), args.kinds.split(","))]
        plain, found = played_with(folder, some)
        for cut, rulings in zip(some, found, strict=True):
            verdict = judged(truth, plain, cut, rulings)
            sums[f"{cut.mode} tried"] += 1
            sums[f"{cut.mode} wrong"] += bool(verdict.wrong)
            sums[f"{cut.mode} questions"] += verdict.asked
            sums[f"{cut.mode} asked"] += verdict.guessed is not None
            sums[f"{cut.mode} guessed right"] += bool(verdict.guessed)
            if verdict.wrong:
                print(f"{folder.name}: {cut.name}: {verdict.wrong}", flush=True)
        print(f"{folder.name}: {len(some)} tried", flush=True)
    for mode in args.modes.split(","):
        tried, wrong, questions, asked, right = (sums[f"{mode} {what}"] for what in COUNTED)
        print(
            f"{mode}: {tried} tried, {wrong} wrong; {questions} questions in {asked}, "
            f"of which the best readings were right in {right}"
        )
    return 1 if any(sums[f"{mode} wrong"] for mode in MODES) else 0


if __name__ == "__main__":
    sys.exit(main())

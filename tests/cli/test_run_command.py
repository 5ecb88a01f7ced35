"""`companion run` as its user meets it: it serves, it stops cleanly, and what is wrong is one sentence and code 2."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.journal import open_journal

ROOT = Path(__file__).parent.parent.parent
RECORDING = ROOT / "tests" / "data" / "recordings" / "nominal-snap2-a"
ENV = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "companion.cli.main", "run", *arguments]


def refused(*arguments: str) -> str:
    """The sentence with which a run is refused."""
    done = subprocess.run(command(*arguments), cwd=ROOT, env=ENV, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    sentence = done.stderr.strip()
    assert "Traceback" not in sentence
    assert len(sentence.splitlines()) == 1, sentence
    return sentence


class Running:
    """A started service; address and code as it printed them."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            command("--host", "127.0.0.1", "--port", "0", *arguments),
            cwd=ROOT,
            env={**ENV, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.printed = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)(/j\?c=\S+)", self.printed)):
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read() if self.process.stderr else ""
            self.printed += line
        self.tcp_port, self.join_path = int(found[1]), found[2]

    def get(self, path: str) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.tcp_port, timeout=60)
        connection.request("GET", path)
        obj: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        return obj

    def stop(self, number: int) -> tuple[int, str]:
        """Exit code and stderr after a signal to the whole group, as a terminal sends it."""
        os.killpg(self.process.pid, number)
        _, err = self.process.communicate(timeout=120)
        return self.process.returncode, err


@pytest.fixture
def running(tmp_path: Path) -> Iterator[list[Running]]:
    started: list[Running] = []
    yield started
    for each in started:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.communicate()


def processes_of(service: subprocess.Popen[str]) -> list[str]:
    """Command lines of the processes of a service, which has a session of its own; whether it lives or not."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            own = entry.name.isdigit() and os.getsid(int(entry.name)) == service.pid
            line = (entry / "cmdline").read_text().replace("\0", " ") if own else ""
        except OSError:  # it has ended meanwhile
            continue
        found += [line] if line else []
    return found


def test_a_recording_is_refereed_live_and_resumes_after_a_kill(running: list[Running], tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    first = Running("--source", f"replay:{RECORDING}", "--speed", "4", "--data", data)
    running.append(first)
    assert "▀" in first.printed or "█" in first.printed
    while not (view := first.get("/g/g1/view")["view"])["rulings"] or view["version"] < 1:
        pass
    names = json.loads((RECORDING / "game.json").read_text())["players"]
    assert [player["name"] for player in view["players"]] == names
    os.killpg(first.process.pid, signal.SIGKILL)
    first.process.communicate()
    second = Running("--source", f"replay:{RECORDING}", "--speed", "4", "--data", data)
    running.append(second)
    games = {game["game"]: game for game in second.get("/lobby")["view"]["games"]}
    assert set(games) == {"g1", "g2"}
    assert games["g2"]["holds"]
    again = second.get("/g/g1/view")["view"]
    assert again["rulings"][: len(view["rulings"])] == view["rulings"]  # what was shown as ruled is still there


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(running: list[Running], tmp_path: Path, number: int) -> None:
    recording, data = tmp_path / "recording", tmp_path / "data"
    shutil.copytree(RECORDING, recording)
    service = Running("--source", f"replay:{recording}", "--data", str(data))
    running.append(service)
    while not any("companion.process.table.table" in line for line in processes_of(service.process)):
        assert service.process.poll() is None
    assert service.stop(number) == (0, "")
    assert processes_of(service.process) == []
    assert sorted(p.name for p in data.iterdir()) == ["journal.db", "running.lock", "settings.json"]


@pytest.mark.failure("G10")
def test_a_second_service_on_the_same_folder_is_refused(running: list[Running], tmp_path: Path) -> None:
    service = Running("--source", f"replay:{RECORDING}", "--data", str(tmp_path))
    running.append(service)
    assert "in use by another companion" in refused("--port", "0", "--data", str(tmp_path))
    assert service.get("/lobby")["view"]["games"]


def test_a_terminal_without_block_signs_gets_the_address_alone(running: list[Running], tmp_path: Path) -> None:
    service = Running("--source", f"replay:{RECORDING}", "--data", str(tmp_path), PYTHONIOENCODING="ascii")
    running.append(service)
    assert service.printed.startswith("Scan to join")


def test_a_name_and_a_new_code_are_kept(running: list[Running], tmp_path: Path) -> None:
    source = ("--source", f"replay:{RECORDING}", "--data", str(tmp_path))
    codes, names = [], []
    for more in (("--name", "Küche"), (), ("--new-code",)):
        service = Running(*source, *more)
        running.append(service)
        codes.append(service.join_path)
        names.append(service.get("/lobby")["view"]["table"])
        service.stop(signal.SIGTERM)
    assert names == ["Küche"] * 3
    assert codes[0] == codes[1] != codes[2]
    assert "--name" in refused(*source, "--name", "x" * 41)


def test_a_port_in_use_is_refused_and_no_game_is_left_behind(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        sentence = refused("--host", "127.0.0.1", "--port", port, "--data", str(tmp_path))
        assert port in sentence
        assert "another port" in sentence
    assert open_journal(tmp_path).games() == ()


def test_a_port_in_use_is_refused_before_a_virtual_table_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def started(*arguments: object) -> None:
        raise AssertionError("a virtual table was started")

    monkeypatch.setattr("companion.cli.run.start_virtual", started)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["run", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)]) == 2
    assert "another port" in capsys.readouterr().err


def test_a_recording_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "no recording.npz" in refused("--source", f"replay:{tmp_path}")
    assert "no recording.npz" in refused("--source", f"replay:{tmp_path / 'none'}")
    assert "replay:FOLDER" in refused("--source", "telepathy")
    assert "replay:FOLDER" in refused("--source", "replay:")


@pytest.mark.parametrize("source", ["serial", "ble:C0:11:22:33:44:66"])
def test_a_live_table_needs_to_know_where_its_sensors_are(source: str, tmp_path: Path) -> None:
    assert "--table TABLE.JSON" in refused("--source", source, "--data", str(tmp_path))


def test_a_real_table_has_its_own_speed(tmp_path: Path) -> None:
    table = str(RECORDING / "table.json")
    sentence = refused("--source", "serial", "--table", table, "--speed", "2", "--data", str(tmp_path))
    assert "--speed is for recordings" in sentence


@pytest.mark.parametrize("change", [{"side": 0}, {"tiles": []}, {"table_id": 7}, {"load_cell": {"gain": 0}}])
@pytest.mark.parametrize("source", ["serial:/dev/none", "virtual", "replay"])
def test_a_table_that_cannot_be_used_is_refused_before_an_address_is_printed(
    source: str, change: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "recording"
    shutil.copytree(RECORDING, folder)
    table = folder / "table.json"
    table.write_text(json.dumps({**json.loads(table.read_text()), **change}))
    more = ["--table", str(table)] if source != "replay" else []
    place = source if source != "replay" else f"replay:{folder}"
    done = subprocess.run(
        command("--source", place, *more, "--port", "0", "--data", str(tmp_path / "data")),
        cwd=ROOT, env=ENV, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert str(table) in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def placed(view: dict[str, Any]) -> bool:
    """Whether the newest rulings know of a stone that was placed."""
    return any(ruling["kind"] == "placed" for ruling in view["rulings"])


def virtual_beside(service: subprocess.Popen[str]) -> tuple[int, str]:
    """Process number and command line of a service's virtual table; (0, "") while there is none."""
    own = [pid for task in Path(f"/proc/{service.pid}/task").iterdir() for pid in _children(task)]
    for pid in own:
        try:
            line = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        except OSError:  # it has ended meanwhile
            continue
        if " virtual " in line:
            return int(pid), line
    return 0, ""


def _children(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except OSError:  # a thread that has ended meanwhile
        return []


@pytest.mark.slow
def test_a_virtual_table_that_died_is_started_again_at_the_same_cable_and_page(
    running: list[Running], tmp_path: Path
) -> None:
    service = Running("--speed", "4", "--data", str(tmp_path / "data"))
    running.append(service)
    while service.get("/g/g1/view")["view"]["health"]["state"] not in ("ok", "stale"):  # stale: a busy machine
        assert service.process.poll() is None
    first, line = virtual_beside(service.process)
    os.kill(first, signal.SIGKILL)
    while not (found := virtual_beside(service.process))[0] or found[0] == first:
        assert service.process.poll() is None
    link = re.search(r"--link \S+", line)
    assert link
    assert link[0] in found[1]
    while (view := service.get("/g/g1/view")["view"])["round"] < 2 or not placed(view):
        assert service.process.poll() is None
    assert service.stop(signal.SIGINT)[0] == 0
    assert processes_of(service.process) == []


def test_the_virtual_table_is_refereed_and_leaves_nothing_behind(running: list[Running], tmp_path: Path) -> None:
    service = Running("--speed", "4", "--page-host", "0.0.0.0", "--data", str(tmp_path / "data"))
    running.append(service)
    while not placed(view := service.get("/g/g1/view")["view"]):
        assert service.process.poll() is None
    assert [player["name"] for player in view["players"]] == ["Ana", "Leo"]
    assert view["health"]["state"] in ("ok", "stale")
    line = virtual_beside(service.process)[1]
    assert "--page-host 0.0.0.0" in line
    link = re.search(r"--link (\S+)", line)
    assert link
    assert service.stop(signal.SIGINT) == (0, "")  # nothing of a cable that was pulled out
    assert processes_of(service.process) == []
    assert not Path(link[1]).is_symlink()


def test_stopped_while_the_virtual_table_starts_it_says_so_in_one_line(tmp_path: Path) -> None:
    started = subprocess.Popen(
        command("--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)),
        cwd=ROOT, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    )  # fmt: skip
    try:
        while not virtual_beside(started)[0]:
            assert started.poll() is None
    finally:
        os.killpg(started.pid, signal.SIGINT)
        out, err = started.communicate(timeout=120)
    assert (started.returncode, out, err) == (130, "", "companion: stopped\n")
    assert processes_of(started) == []


@pytest.mark.parametrize("name", ["recording.npz", "table.json", "game.json"])
def test_a_truncated_recording_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "recording"
    shutil.copytree(RECORDING, folder)
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    sentence = refused("--source", f"replay:{folder}", "--port", "0", "--data", str(tmp_path / "data"))
    assert name in sentence
    assert not (tmp_path / "data").exists()  # nothing was begun


def test_a_game_that_is_none_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "recording"
    shutil.copytree(RECORDING, folder)
    game = json.loads((folder / "game.json").read_text())
    (folder / "game.json").write_text(json.dumps({**game, "game": "chess"}))
    assert "chess" in refused("--source", f"replay:{folder}", "--port", "0", "--data", str(tmp_path / "data"))


def test_a_data_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "--data" in refused("--data", str(tmp_path / "file"))
    (tmp_path / "settings.json").write_text("{")
    assert "settings.json" in refused("--data", str(tmp_path))
    (tmp_path / "settings.json").unlink()
    (tmp_path / "journal.db").mkdir()
    assert "journal.db" in refused("--data", str(tmp_path))


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "1000", "fast"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    done = subprocess.run(command("--speed", speed), cwd=ROOT, env=ENV, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "speed" in done.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "70000"])
def test_a_port_that_is_none_is_refused(port: str, tmp_path: Path) -> None:
    assert "--port must be from 0" in refused("--port", port, "--data", str(tmp_path))


@pytest.mark.parametrize("host", ["", "999.1.1.1", "no.such.host.invalid"])
def test_a_host_that_is_none_is_refused(host: str, tmp_path: Path) -> None:
    assert "--host" in refused("--host", host, "--data", str(tmp_path))

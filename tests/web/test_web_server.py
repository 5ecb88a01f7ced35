"""The real server: streams and buttons side by side, a full house, a stop."""

import http.client
import json
import socket
import threading
from typing import Any

import pytest

from companion.clock import SystemClock, pause
from tests.web.scenes import game
from tests.web.scripted import CODE, ScriptedReferee
from web.serve import ServeError, Serving, serve

PRESS = {"id": "press-0001", "name": "placed", "version": 7, "args": {}}
WAIT_S = 20  # a limit for a hanging test; nothing is judged by it


def open_stream(serving: Serving, game_id: str = "g1") -> http.client.HTTPResponse:
    link = http.client.HTTPConnection("127.0.0.1", serving.tcp_port, timeout=WAIT_S)
    link.request("GET", f"/g/{game_id}/events")
    return link.getresponse()


def read_message(stream: http.client.HTTPResponse) -> tuple[str, dict[str, Any]]:
    """The next message with data: its kind and its JSON."""
    kind = "message"
    while line := stream.readline().decode().rstrip("\n"):
        if line.startswith("retry:"):
            stream.readline()
        elif line.startswith("event: "):
            kind = line[7:]
        elif line.startswith("data: "):
            stream.readline()
            return kind, json.loads(line[6:])
    raise EOFError


def read_version(stream: http.client.HTTPResponse) -> int:
    """The version of the next view; beats, which come each second, are passed over."""
    while "view" not in (told := read_message(stream)[1]):
        pass
    return int(told["view"]["version"])


def post(serving: Serving, command: dict[str, Any]) -> dict[str, Any]:
    link = http.client.HTTPConnection("127.0.0.1", serving.tcp_port, timeout=WAIT_S)
    headers = {"Content-Type": "application/json", "Cookie": f"table_code={CODE}"}
    link.request("POST", "/g/g1/commands", json.dumps(command), headers)
    answer: dict[str, Any] = json.loads(link.getresponse().read())
    link.close()
    return answer


@pytest.mark.failure("H12", "H3")
def test_a_button_is_answered_while_eight_streams_are_open(referee: ScriptedReferee, server: Serving) -> None:
    referee.show(game())
    streams = [open_stream(server) for _ in range(8)]
    assert [read_version(stream) for stream in streams] == [7] * 8
    assert post(server, PRESS)["status"] == "applied"
    referee.show(game(version=8))
    assert [read_version(stream) for stream in streams] == [8] * 8


@pytest.mark.failure("H13")
def test_a_press_sent_twice_counts_once_and_gets_the_first_answer(referee: ScriptedReferee, server: Serving) -> None:
    referee.show(game())
    first, second = post(server, PRESS), post(server, PRESS)
    assert first == second
    assert len(referee.posted) == 1
    post(server, PRESS | {"id": "press-0002"})
    assert [(c["id"], c["version"]) for c in referee.posted] == [("press-0001", 7), ("press-0002", 7)]


def test_the_latest_view_wins_and_beats_come_when_nothing_changes(referee: ScriptedReferee, server: Serving) -> None:
    referee.show(game(version=1))
    stream = open_stream(server)
    assert read_version(stream) == 1
    kind, beat = read_message(stream)
    assert (kind, beat["s"], beat["rate"]) == ("beat", referee.clock_us, 1.0)
    for version in range(2, 50):
        referee.show(game(version=version))
    while (latest := read_version(stream)) != 49:
        assert latest < 49


def test_a_full_house_gets_503_and_slots_come_back(referee: ScriptedReferee) -> None:
    referee.show(game())
    serving = serve(referee, "127.0.0.1", 0, stream_cap=2)
    try:
        first, second = open_stream(serving), open_stream(serving)
        read_message(first), read_message(second)
        full = open_stream(serving)
        assert (full.status, full.headers["Retry-After"]) == (503, "10")
        assert post(serving, PRESS)["status"] == "applied"
        first.close()
        second.close()
        assert serving.slots.wait_empty(WAIT_S)
        third, fourth = open_stream(serving), open_stream(serving)
        assert (third.status, fourth.status, open_stream(serving).status) == (200, 200, 503)
    finally:
        serving.close()


def test_a_reader_that_leaves_at_once_gives_its_slot_back(referee: ScriptedReferee, server: Serving) -> None:
    referee.show(game())
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.tcp_port)) as link:
            link.sendall(b"GET /g/g1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert server.slots.wait_empty(WAIT_S)


def test_closing_ends_streams_threads_and_the_port(referee: ScriptedReferee) -> None:
    referee.show(game())
    before = threading.active_count()
    serving = serve(referee, "127.0.0.1", 0)
    stream = open_stream(serving)
    read_message(stream)
    serving.close()
    serving.close()
    while stream.readline():
        pass  # what was under way; then the end
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", serving.tcp_port), timeout=WAIT_S)
    assert threading.active_count() <= before


def test_unsuitable_settings_are_refused_with_what_to_do(referee: ScriptedReferee) -> None:
    with pytest.raises(ServeError, match="at least 48 threads"):
        serve(referee, "127.0.0.1", 0, threads=8)
    with pytest.raises(ServeError, match="streams"):
        serve(referee, "127.0.0.1", 0, stream_cap=0)


def test_a_port_in_use_is_said(referee: ScriptedReferee, server: Serving) -> None:
    with pytest.raises(ServeError, match=f"port {server.tcp_port}.*another port with --port"):
        serve(referee, "127.0.0.1", server.tcp_port)


def test_an_address_of_another_machine_is_said(referee: ScriptedReferee) -> None:
    with pytest.raises(ServeError, match=r"192\.0\.2\.77 .*with --host"):
        serve(referee, "192.0.2.77", 0)


@pytest.mark.failure("G10")
def test_making_the_app_twice_starts_nothing(referee: ScriptedReferee) -> None:
    from web.app import create_app

    before = threading.active_count()
    create_app(referee)
    create_app(referee)
    assert threading.active_count() == before


def test_what_asks_during_the_stop_is_cut_off_without_a_word(
    referee: ScriptedReferee, caplog: pytest.LogCaptureFixture
) -> None:
    serving = serve(referee, "127.0.0.1", 0)
    dispatcher = serving._server.task_dispatcher
    dispatcher.set_thread_count(0)  # as the stop does first
    while dispatcher.threads:
        pause(SystemClock(), 10_000)
    link = http.client.HTTPConnection("127.0.0.1", serving.tcp_port, timeout=WAIT_S)
    link.request("GET", "/")
    while not dispatcher.queue:
        pause(SystemClock(), 10_000)
    caplog.clear()
    serving.close()
    assert caplog.messages == []
    link.close()

"""Figures of the pages in Chromium; prints, judges nothing."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.web import scenes
from tests.web.harness import Opened
from tests.web.scripted import ScriptedReferee


@pytest.mark.bench
def test_pages_first_live_and_delay(referee: ScriptedReferee, server: Any, open_page: Callable[..., Opened]) -> None:
    referee.show(scenes.game(6, on_board=14))
    begun = time.perf_counter()
    opened = [open_page("/g/g1", "phone", "es")]
    page = opened[0].page
    page.wait_for_function("() => document.querySelectorAll('.stone').length === 14")
    print(f"\nfirst picture {(time.perf_counter() - begun) * 1000:.0f} ms (page, scripts, board; no throttle)")
    opened += [open_page("/g/g1", "small", "en") for _ in range(7)]
    delays = []
    for n in range(20):
        view = scenes.game(6, on_board=14)
        view["players"][0]["pile"] = 30 + n
        start = time.perf_counter()
        referee.show(view)
        for one in opened:
            one.page.wait_for_function(f"() => document.querySelector('.player b').textContent === '{30 + n}'")
        delays.append((time.perf_counter() - start) * 1000)
    worst = max(delays)
    print(f"view on all 8 pages: median {statistics.median(delays):.0f}, worst {worst:.0f} ms (polled from outside)")
    drawn = page.evaluate(
        """async (view) => {
            const frames = [];
            const step = (t) => { frames.push(t); if (frames.length < 60) requestAnimationFrame(step); };
            requestAnimationFrame(step);
            await new Promise((done) => setTimeout(done, 1500));
            return (frames.length - 1) / (frames[frames.length - 1] - frames[0]) * 1000;
        }""",
        None,
    )
    print(f"frames drawn {drawn:.0f}/s")
    presses = []
    for _ in range(10):
        start = time.perf_counter()
        answer = page.evaluate(
            """async (id) => {
                const body = JSON.stringify({id, name: 'placed', version: 7});
                const headers = {'Content-Type': 'application/json'};
                return (await fetch('/g/g1/commands', {method: 'POST', headers, body})).json();
            }""",
            f"bench-{time.perf_counter_ns()}",
        )
        assert answer["status"] == "applied"
        presses.append((time.perf_counter() - start) * 1000)
    print(f"a press with 8 streams open: median {statistics.median(presses):.0f}, worst {max(presses):.0f} ms")

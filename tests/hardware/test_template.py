"""The printed template has every sensor where the geometry has it, in millimetres."""

import re
import xml.etree.ElementTree as ElementTree

from hardware.geometry import channels, sensors
from hardware.template import MARGIN, template

SVG = "{http://www.w3.org/2000/svg}"


def test_crosses_lie_as_far_apart_as_the_sensors() -> None:
    root = ElementTree.fromstring(template())
    assert root.attrib["width"] == f"{150 + 2 * MARGIN:.1f}mm"
    drawn = [path.attrib["d"] for path in root.findall(f"{SVG}path")]
    places = [tuple(map(float, re.findall(r"-?[\d.]+", d)[:2])) for d in drawn]
    wanted = [(x, -y) for x, y, _ in sensors()]
    assert len(places) == len(wanted) == 55
    for (ax, ay), (bx, by) in zip(places, wanted, strict=True):
        assert abs((ax - places[0][0]) - (bx - wanted[0][0])) < 0.002
        assert abs((ay - places[0][1]) - (by - wanted[0][1])) < 0.002


def test_every_sensor_has_its_multiplexer_and_address() -> None:
    words = [text.text for text in ElementTree.fromstring(template()).findall(f"{SVG}text")]
    assert {f"{c.multiplexer}.{c.address}" for c in channels(1) if c.sensor is not None} <= set(words)

import numpy as np
import pytest

from companion.sensing.sensors.layout import TableLayout


def test_reference_table(layout):
    assert layout.count == 220
    assert layout.full_scale == 1023
    assert layout.names[17] == "A17"
    assert layout.names[219] == "D54"
    # Tile A is turned by half a turn: its first sensor, lower left in the tile, lies upper right.
    assert layout.position[0] == pytest.approx([67.5, 38.971, -8.0], abs=1e-3)
    assert layout.delay_us[0] == 0.0
    assert layout.delay_us[110] == pytest.approx(4000.0)
    # Every lattice point is 15 mm from its nearest on the same tile.
    flat = layout.position[layout.tile == 1, :2]
    away = np.hypot(*(flat[:, None] - flat[None]).T) + 1e9 * np.eye(55)
    assert away.min(axis=0) == pytest.approx(np.full(55, 15.0), abs=0.01)


def test_distance_beside_the_mats(layout):
    points = [[0.0, 0.0], [75.0, -43.0], [0.0, -86.603 - 10.0], [150.0 + 30.0, -86.603], [0.0, 173.2 + 20.0]]
    assert layout.beside(points) == pytest.approx([0.0, 0.0, 10.0, 30.0, 20.0], abs=0.01)
    assert layout.beside(np.zeros((2, 3, 2))).shape == (2, 3)


def test_one_point_is_as_far_beside_the_mats_as_among_many(layout):
    points = np.vstack([np.random.default_rng(1).uniform(-250.0, 250.0, (500, 2)), layout.triangles.reshape(-1, 2)])
    together = layout.beside(points)
    assert 0 < np.count_nonzero(together) < len(points)
    assert [float(layout.beside(point)) for point in points] == together.tolist()


def test_neighbours_of_an_inner_sensor(layout):
    inner = int(np.hypot(*(layout.position[:, :2] - [0.0, 8.0]).T).argmin())
    assert len(layout.neighbours[inner]) == 6


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda t: t.pop("adc_bits"), "adc_bits"),
        (lambda t: t.update(adc_bits=10.5), "adc_bits"),
        (lambda t: t.update(frame_rate=0), "frame_rate"),
        (lambda t: t.update(tiles=[]), "tiles"),
        (lambda t: t["tiles"][2].pop("rot"), r"tiles\[2\].rot"),
        (lambda t: t["tiles"][1].update(id="A"), "id"),
        (lambda t: t["tiles"][1].update(sensors={}), r"tiles\[1\].sensors"),
        (lambda t: t["tiles"][1]["sensors"][5].update(gain=0), r"tiles\[1\].sensors\[5\].gain"),
        (lambda t: t["tiles"][0]["sensors"][0].update(x="1"), r"tiles\[0\].sensors\[0\].x"),
        (lambda t: t["tiles"][0]["sensors"][0].update(axis=[0, 0]), r"sensors\[0\].axis"),
        (lambda t: t["tiles"][0]["sensors"][0].update(axis=[0, 0, 10**400]), r"sensors\[0\].axis"),
        (lambda t: t.update(frame_rate=10**400), "frame_rate"),
        (lambda t: t["tiles"][0]["sensors"][0].update(offset=float("nan")), "offset"),
        (lambda t: t["load_cell"].update(gain=0), "load_cell.gain"),
        (lambda t: t.update(units={"length": "inch"}), "units.length"),
        (lambda t: t.update(scan_fraction=1.5), "scan_fraction"),
    ],
)
def test_wrong_tables_are_refused_by_name(table, change, named):
    change(table)
    with pytest.raises(ValueError, match=named):
        TableLayout.from_json(table)


def test_a_table_without_load_cell(table):
    del table["load_cell"]
    assert TableLayout.from_json(table).load_gain == 0.0


def test_learned_gains_replace_the_nominal_ones(layout):
    better = layout.calibrated(layout.gain * 1.03)
    assert better.gain == pytest.approx(np.full(220, 5.12 * 1.03))
    assert better.offset is layout.offset
    with pytest.raises(ValueError, match="gain"):
        layout.calibrated([5.0])

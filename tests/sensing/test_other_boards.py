"""Variants of a recording with other stones or sensors elsewhere: the added field, against a field made up whole."""

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from tests.sensing.other_boards import of_other_places, of_other_stones

MOMENTS = np.array([0.25, 0.31])
LYING, STEEP, ABOVE = (10.0, -12.0, 4.0), (0.3, -0.2, 1.2), (-30.0, 8.0)


def poses(layout):
    """One stone lies still and leans, another goes down 6 mm in 0.1 s; of the same turn, written as -q in between."""
    pose = np.zeros((3, 2, 7))
    for k in range(3):
        w = Rotation.from_rotvec(STEEP).as_quat()[[3, 0, 1, 2]]
        pose[k, 0] = (*LYING, *(w if k != 1 else -w))
        pose[k, 1] = (*ABOVE, 30.0 - 3.0 * k, 1.0, 0.0, 0.0, 0.0)
    pose[:, :, 2] += layout.table_below
    return {"t": np.array([0.05, 0.1, 0.15]), "pose": pose}


def made_up(layout, t, moments):
    turn = Rotation.from_rotvec(STEEP)
    lying = magnet(LYING, turn.apply([0, 0, 1]), moments[0], DEFAULT_SHAPE, turn.apply([1, 0, 0]))
    model = FieldModel.of(layout)
    out = np.zeros((len(t), layout.count))
    for k in range(layout.count):
        for n, now in enumerate(t + layout.delay_us[k] / 1e6):
            z = 30.0 - 60.0 * (min(now, float(t[-1])) - 0.05)
            above = magnet((*ABOVE, z), [0, 0, 1], moments[1], DEFAULT_SHAPE, [1, 0, 0])
            out[n, k] = (model.fields(lying) + model.fields(above))[0, k]
    return out


def test_other_moments_are_added_where_and_when_each_sensor_reads(layout):
    t, factors = np.arange(0.05, 0.151, 0.01), np.array([1.2, 0.7])
    added = of_other_stones(layout, poses(layout), MOMENTS, factors, t)
    expected = made_up(layout, t, MOMENTS * factors) - made_up(layout, t, MOMENTS)
    assert np.abs(expected).max() > 1.0
    np.testing.assert_allclose(added, expected, atol=2e-2)


def test_sensors_elsewhere_read_the_field_of_that_place(layout):
    t, shift = np.arange(0.05, 0.151, 0.01), np.tile([2.0, -1.0, 0.0], (layout.count, 1))
    added = of_other_places(layout, shift, poses(layout), MOMENTS, t)
    other = replace(layout, position=layout.position + shift)
    expected = made_up(other, t, MOMENTS) - made_up(layout, t, MOMENTS)
    assert np.abs(expected).max() > 1.0
    np.testing.assert_allclose(added, expected, atol=2e-2)

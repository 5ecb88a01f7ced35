"""Settings for all tests."""

import os

from hypothesis import HealthCheck, settings

# The machines that run this are noisy: no wall-clock pass mark, not even hypothesis' own. CI repeats itself, so that a
# change is judged by what it changed; elsewhere every run looks at new examples.
settings.register_profile(
    "companion",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("companion")

pytest_plugins = ["tests.web.harness"]

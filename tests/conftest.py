"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The machines that run this are noisy: no wall-clock pass mark, not even hypothesis' own.
settings.register_profile("companion", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("companion")

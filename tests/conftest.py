"""Settings for all tests."""

from hypothesis import settings

# The machines that run this are noisy: no wall-clock pass mark, not even hypothesis' own.
settings.register_profile("companion", deadline=None)
settings.load_profile("companion")

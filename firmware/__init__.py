"""The board's side: the one definition of the messages, its generator, and later the firmware itself."""

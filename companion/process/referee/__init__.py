"""The service around the games: owner thread, inbox, journal, views; it knows no sensing."""

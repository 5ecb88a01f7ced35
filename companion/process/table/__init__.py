"""The table process: link, session, sensing; it tells reports and looks, and knows no game."""

"""What is told above: zeros, tare, memory of the session before, and whether they are still this board's."""

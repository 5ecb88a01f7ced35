"""Table companion: from what the sensors saw to what the phones show. See docs/architecture.md."""

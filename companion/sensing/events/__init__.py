"""What tracks and weight mean: approach, touch, collapse, leaving, rest."""

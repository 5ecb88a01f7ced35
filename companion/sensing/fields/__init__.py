"""Stones as their field shows them: magnets, fits with their two implementations, priors, what is known of stones."""

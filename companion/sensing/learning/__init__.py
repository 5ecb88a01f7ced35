"""What guided recordings teach of a table: gains, grams, stones, how its tiles lie."""

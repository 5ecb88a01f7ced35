"""What the table process and the referee share: their channel, files that are kept, words of faults."""

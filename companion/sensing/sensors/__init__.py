"""The table as hardware: where its sensors are, what they should read, which of them are at fault, the load cell."""

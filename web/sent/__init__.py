"""What browsers and programs send: received in turns, read field by field, done once."""

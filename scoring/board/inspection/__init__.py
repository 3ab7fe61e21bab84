"""What looks wrong in a board's file: where spaces lie, and its words."""

"""The table's state in the panel's words."""

"""What one photo says about each printed space."""

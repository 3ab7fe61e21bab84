"""The final sheet on pages: its lines, the reveal, and questions about it."""

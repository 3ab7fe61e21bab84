"""The table's state as the document that pages and the API show."""

"""The API: what it answers, its schemas, and the document on all of it."""

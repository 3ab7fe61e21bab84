"""What a table tells a club's room: its log as a chain of messages, hands kept back."""

"""The rules: boards as data, who owns what, tickets, longest trail, bonuses, sheets, violations."""

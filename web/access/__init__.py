"""Who may do what on the panel."""

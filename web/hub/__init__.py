"""The club's hub: pages of the whole room, with the panel's look and guards."""

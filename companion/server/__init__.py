"""The panel on the network."""

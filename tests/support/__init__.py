"""What the tests and the bench share: random positions, networks and plain reference searches."""

"""The table: session, event store, live watching, demo and command line. Wires every other room."""

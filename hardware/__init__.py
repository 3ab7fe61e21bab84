"""The drivers: cameras, buttons, lamps, each with a stand-in that ships."""

"""From an image to a reading: arrays in, frozen values out; never opens a camera."""

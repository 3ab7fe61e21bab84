"""From photos of a hand to the ticket cards in it: cards, names, points and what is doubtful.

Photos are ndarrays of shape (H, W, 3), uint8, BGR. Points and sizes are pixels of the photo, x
right and y down; corners have shape (4, 2). Angles are degrees, clockwise, of the direction in
which a line is read, and a `turn_deg` is added to that.
"""

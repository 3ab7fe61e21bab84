"""The board studio's engine: from one photo of an empty board to proposed spaces, lines, places.

Photos are ndarrays of shape (H, W, 3), uint8, BGR, with the board's corners (4, 2) in their pixels
as printed: top-left, top-right, bottom-right, bottom-left. The board is straightened to units in
which a printed box is `boxes.BOX` long; angles are degrees, clockwise, of a box's long side.
"""

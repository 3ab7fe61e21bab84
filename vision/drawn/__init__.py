"""Photos of boards drawn by the program itself, with everything on them known exactly.

They stand in for a camera in the demo, in tests and in training: no publisher's art in them.
"""

from vision.drawn.camera import View
from vision.drawn.games import random_owners
from vision.drawn.moment import Oddities
from vision.drawn.photo import DrawnPhoto, draw_photo
from vision.drawn.style import Style

__all__ = ["DrawnPhoto", "Oddities", "Style", "View", "draw_photo", "random_owners"]

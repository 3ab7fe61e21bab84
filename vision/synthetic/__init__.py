"""Photos of boards drawn by the program itself, with everything on them known exactly.

They stand in for a camera in the demo, in tests and in training: no publisher's art in them.
"""

from vision.synthetic.arrangement import Oddities
from vision.synthetic.camera import View
from vision.synthetic.games import random_owners
from vision.synthetic.photo import DrawnPhoto, draw_photo
from vision.synthetic.style import Style

__all__ = ["DrawnPhoto", "Oddities", "Style", "View", "draw_photo", "random_owners"]

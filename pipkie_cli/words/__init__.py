"""Words of a page in reading order.

Comes in: pages as `documents` gives them, or bare boxes. Goes out: words with line and segment, pictures of them.
Never decides what a word means.
"""

from pipkie_cli.words.draw import draw_page
from pipkie_cli.words.order import Placed, arrange

__all__ = ["Placed", "arrange", "draw_page"]

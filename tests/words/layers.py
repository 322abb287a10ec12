"""Glyphs of invented text layers, set like pdfium's loose boxes: letters touch, lines are 1.2 times the size."""

from pipkie_cli.nouns import Box, Glyph, Turn

WIDTH, HEIGHT = 600.0, 800.0


def line(
    text: str, x: float, y: float, size: float = 10.0, *, visible: bool = True, mapped: bool = True, step: float = 0.5
) -> list[Glyph]:
    """One line of upright text with its top left corner at (x, y) points of a page of WIDTH x HEIGHT."""
    glyphs = []
    for i, char in enumerate(text):
        left = x + i * step * size
        box = Box(left / WIDTH, y / HEIGHT, (left + 0.5 * size) / WIDTH, (y + 1.2 * size) / HEIGHT)
        glyphs.append(Glyph(char, box, size, visible, mapped))
    return glyphs


def turned_away(glyphs: list[Glyph], turn: Turn) -> list[Glyph]:
    """The same glyphs on a page that has to be turned by `turn` degrees clockwise to be upright."""
    return [Glyph(g.text, g.box.as_displayed(turn), g.size_pt, g.visible, g.mapped) for g in glyphs]


def displayed_size(turn: Turn) -> tuple[float, float]:
    return (WIDTH, HEIGHT) if turn in (0, 180) else (HEIGHT, WIDTH)

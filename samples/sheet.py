"""A PDF page to draw on, in millimetres from its top left corner."""

import io
from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
Row = Sequence[str]


class Sheet:
    """One document; `pdf()` ends it."""

    def __init__(self, width_mm: float = 210, height_mm: float = 297) -> None:
        self.height_mm, self.buffer = height_mm, io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=(width_mm * MM, height_mm * MM), invariant=1)

    def text(
        self, x: float, y: float, text: str, size: float = 10, font: str = "Helvetica", right: bool = False
    ) -> None:
        self.canvas.setFont(font, size)
        draw = self.canvas.drawRightString if right else self.canvas.drawString
        draw(x * MM, (self.height_mm - y) * MM, text)

    def block(self, x: float, y: float, lines: Sequence[str], size: float = 10, gap: float = 5) -> None:
        for number, line in enumerate(lines):
            self.text(x, y + number * gap, line, size)

    def pairs(
        self, x: float, y: float, wide: float, rows: Sequence[tuple[str, str]], size: float = 10, gap: float = 5.5
    ) -> None:
        """Labels with their values in a second column, `wide` to the right."""
        for number, (label, value) in enumerate(rows):
            self.text(x, y + number * gap, label, size)
            self.text(x + wide, y + number * gap, value, size)

    def sums(self, x: float, y: float, rows: Sequence[tuple[str, str]], gap: float = 6) -> None:
        """Labels before `x`, amounts that end at the right margin."""
        for number, (label, value) in enumerate(rows):
            self.text(x, y + number * gap, label, right=True)
            self.text(190, y + number * gap, value, right=True)

    def field(self, x: float, y: float, width: float, label: str, entry: str) -> None:
        """A box of a form: small label, entry below it."""
        self.box(x, y, width, 13)
        self.text(x + 2, y + 4, label, 7)
        self.text(x + 2, y + 10.5, entry, 10.5, "Courier")

    def tick(self, x: float, y: float, label: str, ticked: bool) -> None:
        """A box to tick with its label on the right."""
        self.box(x, y - 3, 3.4, 3.4)
        if ticked:
            self.text(x + 0.6, y - 0.2, "X", 9, "Helvetica-Bold")
        self.text(x + 5, y, label, 9)

    def rule(self, x0: float, y: float, x1: float) -> None:
        self.canvas.setLineWidth(0.4)
        self.canvas.line(x0 * MM, (self.height_mm - y) * MM, x1 * MM, (self.height_mm - y) * MM)

    def box(self, x: float, y: float, width: float, height: float) -> None:
        self.canvas.setLineWidth(0.5)
        self.canvas.rect(x * MM, (self.height_mm - y - height) * MM, width * MM, height * MM)

    def table(self, y: float, columns: Sequence[tuple[float, bool]], rows: Sequence[Row], gap: float = 6) -> float:
        """Rows of cells, the first is the header; a column is its x and whether it ends there. Returns the y below."""
        for number, row in enumerate(rows):
            for (x, right), cell in zip(columns, row, strict=True):
                self.text(x, y + number * gap, cell, 9.5, "Helvetica-Bold" if number == 0 else "Helvetica", right)
            if number == 0:
                self.rule(20, y + 2, 190)
        return y + len(rows) * gap

    def next_page(self) -> None:
        self.canvas.showPage()

    def pdf(self) -> bytes:
        self.canvas.save()
        return self.buffer.getvalue()

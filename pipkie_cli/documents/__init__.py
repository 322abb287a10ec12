"""A path goes in, pages as displayed come out: characters with places where a PDF has them, and a picture on demand.

`open_document` reads the file once, tells its format by content, and gives an `OpenDocument`: its identity, what is
doubtful about it, and `pages()`. Every fault of a file is a `DocumentError`; a fault of one page is a page with the
problem `page_unreadable`. `looks_like_document` tells a file by its first bytes. `fork`,
`confine` and `reaped` are for children that work on hostile bytes. This room never turns a page upright,
judges a text layer or reads a picture (`words/` does), never follows a link, runs a script or unpacks an attachment.
"""

from pipkie_cli.documents.child import confine, fork, reaped
from pipkie_cli.documents.open import OpenDocument, open_document
from pipkie_cli.documents.sniff import looks_like_document

__all__ = ["OpenDocument", "confine", "fork", "looks_like_document", "open_document", "reaped"]

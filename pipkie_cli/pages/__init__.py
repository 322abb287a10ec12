"""The pages of a file as words, read now or taken from a cache of earlier readings.

In: a path, page limit and passwords, a `CodeReader` that looks at the same pictures, perhaps a `PageCache`. Out: a
`ReadDocument`, the same whether it was read or kept.
Never knows a template, a model or a record; never keeps what only a password opens, or what could not be read.
"""

from pipkie_cli.pages.cache import PageCache, open_cache, reader_revision
from pipkie_cli.pages.pictures import Pictures, second_choice
from pipkie_cli.pages.read import ReadDocument, is_unreadable, read_layers, read_pages, without_ocr

__all__ = [
    "PageCache",
    "Pictures",
    "ReadDocument",
    "is_unreadable",
    "open_cache",
    "read_layers",
    "read_pages",
    "reader_revision",
    "second_choice",
    "without_ocr",
]

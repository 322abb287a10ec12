"""The road: prepare -> read -> finish. `process` walks it for one file and always returns its records.

    path -> pages -> words -> template -> windows        prepare
                           -> template -> sheets         (for a model that reads pixels)
         -> one forward per window or sheet -> answers   read
         -> typed values -> record                       finish

Comes in: a planned input, the user's options, a loaded backend. Goes out: a record for each document in it, or with
`walk` every stop of one.
Never writes, never decides which documents are read or when, nor what shares a forward with another document: whoever
wants to batch walks `records_of`, which yields what the model is to be asked.
"""

from pipkie_cli.pipeline.look import looks
from pipkie_cli.pipeline.prepared import Prepared, choose_template, prepare, prepare_pages
from pipkie_cli.pipeline.reading import Asking, Reading, answered, drive, read
from pipkie_cli.pipeline.road import Trace, process, records_of, walk
from pipkie_cli.pipeline.settle import context_of, finish, page_text, settled, type_values, with_facts

__all__ = [
    "Asking",
    "Prepared",
    "Reading",
    "Trace",
    "answered",
    "choose_template",
    "context_of",
    "drive",
    "finish",
    "looks",
    "page_text",
    "prepare",
    "prepare_pages",
    "process",
    "read",
    "records_of",
    "settled",
    "type_values",
    "walk",
    "with_facts",
]

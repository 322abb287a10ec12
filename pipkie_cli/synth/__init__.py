"""Made-up documents for training: a seed comes in, a page with questions and right answers goes out.

`make_example` draws layout, language, values and noise from its seed alone; words pass the same reading order as real
ones. It never reads a real document and never loads Faker before the first example is made.
"""

from pipkie_cli.synth.cells import column_key, is_matter_of_taste
from pipkie_cli.synth.example import make_example
from pipkie_cli.synth.foreign import foreign_key

__all__ = ["column_key", "foreign_key", "is_matter_of_taste", "make_example"]

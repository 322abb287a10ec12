"""Template and pages -> windows or sheets: what shares one forward with the keys, and how a key is asked.

Comes in: `Page`s or `Picture`s, and `Template`. Goes out: `Window`, `Sheet`. Never: arrays, models, values.
"""

from pipkie_cli.prompts.phrase import alias_text, fold, label_phrases, prompt_text
from pipkie_cli.prompts.rows import printed_rows
from pipkie_cli.prompts.sheets import make_sheets
from pipkie_cli.prompts.window import make_windows, stretches

__all__ = [
    "alias_text",
    "fold",
    "label_phrases",
    "make_sheets",
    "make_windows",
    "printed_rows",
    "prompt_text",
    "stretches",
]

"""Template and pages -> windows: which words and keys share one forward, and how a key is asked.

Comes in: `Page` and `Template`. Goes out: `Window`. Never: arrays, models, values.
"""

from pipkie_cli.prompts.phrase import alias_text, fold, label_phrases, prompt_text
from pipkie_cli.prompts.rows import printed_rows
from pipkie_cli.prompts.window import make_windows, stretches

__all__ = ["alias_text", "fold", "label_phrases", "make_windows", "printed_rows", "prompt_text", "stretches"]

"""Readers of published sets: a folder in, labelled documents out. Reads labels, never a document."""

from pipkie_cli.evaluate.datasets.folder import Labelled, read_folder
from pipkie_cli.evaluate.datasets.sets import SetRules, rules_of

__all__ = ["Labelled", "SetRules", "read_folder", "rules_of"]

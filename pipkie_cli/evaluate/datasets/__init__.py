"""Readers of published sets: a folder in, labelled documents out. Reads labels, never a document."""

from pipkie_cli.evaluate.datasets.asked import labels_template, measuring_template
from pipkie_cli.evaluate.datasets.folder import read_folder
from pipkie_cli.evaluate.datasets.form import DataSet, read_set
from pipkie_cli.evaluate.datasets.labelled import Labelled, Row
from pipkie_cli.evaluate.datasets.sets import SetRules, rules_of

__all__ = [
    "DataSet",
    "Labelled",
    "Row",
    "SetRules",
    "labels_template",
    "measuring_template",
    "read_folder",
    "read_set",
    "rules_of",
]

"""One file per output format: a record, or rows of sheets, in; bytes out. `registry.py` names those of sheets."""

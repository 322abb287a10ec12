"""One file per output format: a record in, bytes out."""

"""Examples -> a trained checkpoint of the mini model. `python -m pipkie_cli.train --help`.

Comes in: labelled documents, synthetic examples, starting weights. Goes out: a folder that models/mini reads.
Never runs during extraction.
"""

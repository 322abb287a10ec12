"""pipkie reads folders of documents and extracts the values of all keys of a template in one parallel pass."""

__version__ = "0.1.0"

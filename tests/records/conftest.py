"""What the tests of exports get."""

from exports import export

__all__ = ["export"]

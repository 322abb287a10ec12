import pytest

pytest.importorskip("torch", reason="training needs pipkie[train]")

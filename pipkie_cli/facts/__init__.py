"""What a document states exactly, beside its print: the XML of an e-invoice inside a PDF, codes on its pages.

In: a path, pages with a picture on demand. Out: `Facts`, business terms of EN 16931 as the sender wrote them, and the
codes; `merge_facts` puts them in place of what was read off the page, and says where the two differ;
`in_order` pairs rows of a table with printed ones.
Never: the net, an entity, a document type, a link; a value that neither code nor XML holds.
"""

from pipkie_cli.facts.codes import CodeReader
from pipkie_cli.facts.merge import merge_facts
from pipkie_cli.facts.read import Facts, read_facts
from pipkie_cli.facts.rows import in_order
from pipkie_cli.facts.stated_type import choose_stated

__all__ = ["CodeReader", "Facts", "choose_stated", "in_order", "merge_facts", "read_facts"]

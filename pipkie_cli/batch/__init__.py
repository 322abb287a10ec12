"""Many documents: which are read, in which order, and where their records go.

In: paths as the user gave them, options, a place for the output. Out: a record for every planned input, or for each
document in it, in a file that appears when it is whole, and a `Summary` that adds up.
Never looks at words, templates or values.
More than five names, because a run has stages that the command line tells of one by one: plan, output, summary, after;
`WholeFiles` and `lock` are for other commands that write.
"""

from pipkie_cli.batch.after import check_places, list_failed, move_inputs, write_report
from pipkie_cli.batch.budget import bearable, default_workers
from pipkie_cli.batch.cluster import Cluster, check_ray, cluster_workers
from pipkie_cli.batch.devices import choose_devices
from pipkie_cli.batch.forwards import Busy
from pipkie_cli.batch.locked import lock
from pipkie_cli.batch.output import Output, default_output, open_output, open_stream
from pipkie_cli.batch.plan import Plan, listed_paths, plan_inputs
from pipkie_cli.batch.run import EngineOf, Retry, run_batch
from pipkie_cli.batch.storage import is_url
from pipkie_cli.batch.store_output import StoreOutput
from pipkie_cli.batch.summary import Summary, left_out_line
from pipkie_cli.batch.supervisor import Limits, Supervisor
from pipkie_cli.batch.whole import WholeFiles

__all__ = [
    "Busy",
    "Cluster",
    "EngineOf",
    "Limits",
    "Output",
    "Plan",
    "Retry",
    "StoreOutput",
    "Summary",
    "Supervisor",
    "WholeFiles",
    "bearable",
    "check_places",
    "check_ray",
    "choose_devices",
    "cluster_workers",
    "default_output",
    "default_workers",
    "is_url",
    "left_out_line",
    "list_failed",
    "listed_paths",
    "lock",
    "move_inputs",
    "open_output",
    "open_stream",
    "plan_inputs",
    "run_batch",
    "write_report",
]

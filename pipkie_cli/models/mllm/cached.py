"""Models of Hugging Face that are in the local cache already. Nothing is fetched."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cached:
    """One snapshot."""

    repository: str  # ORG/NAME
    commit: str  # 40 hex digits
    refs: tuple[str, ...]  # branches and tags that pointed at it when it was fetched
    folder: Path

    @property
    def name(self) -> str:
        """What --model takes for it: the bare name for the main branch, else with its commit."""
        return self.repository if "main" in self.refs else f"{self.repository}@{self.commit}"

    def is_revision(self, revision: str) -> bool:
        """Whether it is what ORG/NAME@`revision` means; "" is the main branch."""
        return (revision or "main") in self.refs or (len(revision) >= 7 and self.commit.startswith(revision))


def cached_models() -> tuple[Cached, ...]:
    """Every snapshot of a model, by name; none where the hub's client is not installed or its cache is empty."""
    try:
        from huggingface_hub import constants, scan_cache_dir
        from huggingface_hub.errors import CacheNotFound
    except ImportError:
        return ()
    try:
        repositories = scan_cache_dir(constants.HF_HUB_CACHE).repos
    except (CacheNotFound, OSError, ValueError):
        return ()
    found = [
        Cached(repository.repo_id, one.commit_hash, tuple(sorted(one.refs)), one.snapshot_path)
        for repository in repositories
        if repository.repo_type == "model"
        for one in repository.revisions
    ]
    return tuple(sorted(found, key=lambda one: (one.repository.casefold(), one.commit)))

"""ORG/NAME[@REVISION] on Hugging Face -> a folder of the local cache. The one place that may use the network.

HF_HOME, HF_HUB_OFFLINE, HF_TOKEN and HF_ENDPOINT work as everywhere with huggingface_hub, which reads them when it is
imported. What is in the cache already is not fetched again.
"""

from pathlib import Path

from pipkie_cli.errors import ModelError

WANTED = ("*.safetensors", "*.json", "merges.txt", "tokenizer.model")  # no pickles, no code
UNWANTED = ("*/*",)  # other forms of the same weights


def fetch(name: str) -> Path:
    """The snapshot of a model's repository, whole. Raises ModelError."""
    try:
        from huggingface_hub import errors, snapshot_download
    except ImportError as error:
        raise ModelError(
            f"{name} is on a hub, and its client is not installed", "pip install 'pipkie[mllm]'"
        ) from error
    repository, _, revision = name.partition("@")
    try:
        where = snapshot_download(
            repository, revision=revision or None, allow_patterns=list(WANTED), ignore_patterns=list(UNWANTED)
        )
    except errors.GatedRepoError as error:
        raise ModelError(
            f"{repository} wants its terms accepted", "accept them on its page, then set HF_TOKEN"
        ) from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError) as error:
        hint = "check the name; a private one needs HF_TOKEN"
        raise ModelError(f"there is no model called {name}", hint) from error
    except (errors.LocalEntryNotFoundError, errors.OfflineModeIsEnabled) as error:
        hint = f"with a network and without HF_HUB_OFFLINE: pipkie models download {name}"
        raise ModelError(f"{name} is not in the local cache and cannot be fetched", hint) from error
    except (OSError, errors.RevisionResolutionError) as error:
        raise ModelError(
            f"{name} cannot be fetched ({type(error).__name__})", "try again; check the network and the disk"
        ) from error
    return Path(where)

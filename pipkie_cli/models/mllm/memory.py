"""What torch says of a device's memory, for whoever puts sheets of several documents into one forward."""

import gc


class TorchMemory:
    """The memory of the device that this process uses."""

    def ran_out(self, error: BaseException) -> bool:
        """Whether a GPU had no memory left. A CPU says so in words alone, or kills the process."""
        import torch

        return isinstance(error, torch.OutOfMemoryError)

    def free(self) -> None:
        """Give back what a failed forward left behind; to be called where nothing holds its tensors."""
        import torch

        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def works(self) -> bool:
        """Whether the GPU answers: after an illegal access every call fails until the process ends."""
        import torch

        if not torch.cuda.is_available():
            return True
        try:
            torch.cuda.synchronize()
        except RuntimeError:
            return False
        return True

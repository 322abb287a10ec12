"""One run at a time onto one output: a lock that ends with the process, however it ends."""


def lock(descriptor: int) -> bool:
    """Lock an open file or folder until it is closed; False where another process holds it.

    Systems and network disks without locks do not tell two runs: True.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True

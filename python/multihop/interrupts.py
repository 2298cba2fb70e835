"""Ctrl-C, where threads of a pool are at work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Hold Ctrl-C back until the caller asks for it, by the function that is given, or is done.

    Python raises `KeyboardInterrupt` anywhere in the main thread. In the middle of
    `Executor.submit` or `wait` that leaves a lock taken for which the threads of the pool wait, so
    that they never end, nor does who waits for them. A second Ctrl-C is raised at once.
    """
    held = threading.Event()

    def check() -> None:
        if held.is_set():
            raise KeyboardInterrupt

    def hold(_number: int, _frame: object) -> None:
        check()
        held.set()

    # Only the main thread can be interrupted, and somebody else's handler is left alone.
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield check
        return
    signal.signal(signal.SIGINT, hold)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    check()

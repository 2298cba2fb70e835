"""Ctrl-C, and what ends a process as cleanly: where threads of a pool are at work, it waits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Ctrl-C, the end that a job scheduler sends, and a terminal that is closed.
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_on_signals() -> None:
    """Treat all of them like Ctrl-C; what is ignored stays so, as under `nohup`."""
    for number in STOPS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


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
    is_main = threading.current_thread() is threading.main_thread()
    ours = [n for n in STOPS if is_main and signal.getsignal(n) is signal.default_int_handler]
    for number in ours:
        signal.signal(number, hold)
    try:
        yield check
    finally:
        for number in ours:
            signal.signal(number, signal.default_int_handler)
    check()

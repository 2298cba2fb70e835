"""Networks of Linux namespaces: applications, and the protocols, on a radio medium in real time.

Every node of a scenario is a network namespace with a TUN device and a `multihop-node`; one
`multihop-ether` is the medium between them. All of it lives in one process namespace: when its
first process ends, in whatever way, the kernel ends the others, and devices and namespaces are gone
with them.
"""

from .lab import Lab, Options

__all__ = ["Lab", "Options"]

"""Many runs that differ in a few keys: what to run, where it is kept, who runs it.

axes, seeds, file, schema   what a sweep asks for
plans                       the runs that it consists of
store, parts, claims        what is on disk, and who works on what
batches, pools, work        running: on threads or on a cluster
collecting, progress        what came out, and how far it is
sweeps                      all of it together: `multihop.sweep`
"""

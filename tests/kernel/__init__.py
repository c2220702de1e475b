"""A kernel beside us: the same bottleneck carried by this machine's own TCP and by ours.

`bottleneck` builds it out of network namespaces, a token bucket and `wire`, which delays what passes; `host` sends
through it and looks at its socket; `cells` says which bottlenecks, and runs each of them on both sides.
"""

"""A kernel beside us: the same bottleneck carried by a kernel's TCP and by ours.

`cells` says which bottlenecks, `numbers` how near the two have to be. `machine` has a kernel carry a cell, in an
emulated machine whose clock counts instructions, so that its numbers repeat exactly; `simulated` carries the same one
here. `measured.json` holds the kernel's numbers, of which a test measures a few anew; `table` shows both sides.
"""

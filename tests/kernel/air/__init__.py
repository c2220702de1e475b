"""A kernel's TCP and ours on the same simulated air.

`cells` says on which scenarios. `machine` has a kernel carry a cell's flows over them, in the emulated machine: its
hosts are namespaces, between whose devices the world moves along with the machine's clock. `simulated` has our TCP
carry them, in the same world with the same seeds. `kept.json` holds the kernel's side; `table` shows both, and `trace`
a run of each, spell by spell.
"""

"""Real programs on simulated air: hosts as network namespaces, and a world that moves along with the clock."""

"""Many runs at the same time, on this machine or on a cluster."""

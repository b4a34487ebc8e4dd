"""Many rule sets at once: plans, workers on this machine or a cluster, files and maps."""

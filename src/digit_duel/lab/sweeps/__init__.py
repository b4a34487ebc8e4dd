"""Sweeps over many rule sets: plans, workers on this machine or a cluster, files and maps."""

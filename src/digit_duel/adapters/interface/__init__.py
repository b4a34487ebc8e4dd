"""Shared by the environments of all libraries: action numbers, observations, names and regret."""

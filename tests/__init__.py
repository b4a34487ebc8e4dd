"""A package, so that a package `tests` that a dependency installs by mistake does not hide this folder."""

"""The version, read by the build and by `penstock --version`."""

__version__ = "0.1.0"

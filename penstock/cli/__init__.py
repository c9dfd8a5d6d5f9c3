"""The command line; plain functions first, flags last."""

"""What lives while it runs: jobs, their state, their progress."""

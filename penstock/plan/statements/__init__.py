"""What each statement does to the script's state: one function per kind, by topic."""

"""Child processes: work that must not take the memory or the time of the program, and files that may crash it."""

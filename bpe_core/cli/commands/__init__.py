"""The commands of the program: a file for each, or for a few that belong together."""

"""The trainings of pages: settings, starts, costs, runs in the server or in a child process, and status."""

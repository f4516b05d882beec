"""The trainings of pages: their settings, their runs in the server or in a child process, their status."""

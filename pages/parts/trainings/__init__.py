"""The trainings of pages: where they start, what they cost, their runs in the server or in a child process."""

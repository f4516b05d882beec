"""Processes and their memory.

A child process is asked and answers, limited in time and memory. A pool has children that stay. Free memory of a
process goes back to the system.
"""

"""Child processes: a child that is asked and answers, limited in time and memory, and a pool of children that stay."""

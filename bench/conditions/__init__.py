"""Under which limits a cell runs: memory and disk (cgroup), network file system, slow file system."""

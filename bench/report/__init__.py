"""Tables and plots of what was run."""

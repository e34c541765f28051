"""Conversion away from the service: a preloaded server process that forks one jailed child per document."""

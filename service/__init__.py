"""What users meet: the command line, MCP, configuration."""

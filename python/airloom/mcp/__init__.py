"""What `airloom mcp` serves: commands as tools of the Model Context Protocol, within one folder, a time and a size."""

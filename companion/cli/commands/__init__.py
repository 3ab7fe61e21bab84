"""One module a command: `configure(parser)` and `run(arguments) -> exit code`."""

"""The process that executes runs on SQLite: a worker that the server starts, watches and stops."""

"""Human scores of outputs and annotation queues."""

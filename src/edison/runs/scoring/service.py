"""What people say about outputs, and what other slices want to know about it."""

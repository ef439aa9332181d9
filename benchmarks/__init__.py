"""Benchmarks of Edison's performance targets. Run with `make bench`; these are not tests."""

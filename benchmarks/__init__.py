"""Measures the figures Edison promises. Run with `make bench`; nothing here is a test."""

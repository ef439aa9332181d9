"""Upper bounds for waiting in tests. A machine may stall for many seconds; a test that passes never
waits this long.
"""

PATIENCE_SECONDS = 180

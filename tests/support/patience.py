"""How long tests wait for something at most. A machine may stand still for many seconds; a test
that passes never waits this long.
"""

PATIENCE_SECONDS = 180

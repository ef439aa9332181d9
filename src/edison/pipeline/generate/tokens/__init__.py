"""Token counts of texts, computed locally before a call."""

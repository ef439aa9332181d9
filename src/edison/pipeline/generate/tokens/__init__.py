"""How many tokens a text has, told before it is sent and without asking anybody."""

"""How the weights are made. Needs torch, which the program itself does not."""

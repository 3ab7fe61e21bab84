"""Torture: the log under kills, lying disks, full disks, damage, clock jumps and repeated requests.

`make torture` runs all of it at length and prints each figure with its number of trials;
`test_slice.py` runs a little of each within `make test`.
"""

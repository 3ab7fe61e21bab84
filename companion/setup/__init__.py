"""Set-up of this table on the panel: photos of the empty board become calibrations."""

"""The referee who speaks up in time: remarks during play and before the sheet, none of which stops
anybody."""

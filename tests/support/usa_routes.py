"""Routes of the USA board that many tests give to one player."""

SIXES = (
    "calgary--winnipeg",
    "duluth--helena",
    "duluth--toronto",
    "el-paso--houston",
    "el-paso--los-angeles",
    "helena--seattle",
    "miami--new-orleans",
    "portland--salt-lake-city",
    "sault-st-marie--winnipeg",
)
"""Its nine routes of six spaces: 54 wagons, where the set has 45; seven of them take 42."""

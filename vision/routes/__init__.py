"""From spaces to one owner a route, and to what a person must confirm."""

"""What vision must know about one table: empty reference, geometry, wagon colours."""

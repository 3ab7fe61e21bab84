"""What a table has and lacks, and how to mend it."""

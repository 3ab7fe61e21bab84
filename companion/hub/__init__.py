"""The club's hub: takes what tables tell into a database and shows the whole room."""

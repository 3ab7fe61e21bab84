"""The pictures and tables of the documentation, made by the program itself."""

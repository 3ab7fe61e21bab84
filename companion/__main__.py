"""`python -m companion` is the command `companion`."""

from companion.cli.main import entry

if __name__ == "__main__":
    entry()

"""The panel's pages, one blueprint a file."""

"""Every camera behind one port, with stand-ins that ship."""

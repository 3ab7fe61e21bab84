"""Home automation: the table as a device of Home Assistant, and as plain MQTT topics."""

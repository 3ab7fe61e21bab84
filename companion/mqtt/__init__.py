"""The connection to an MQTT broker: for home automation and for a club's hub."""

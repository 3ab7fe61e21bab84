"""The table in play: session, camera, box and panel together."""

#!/bin/bash -e
# pi-gen calls this before the stage: it begins with what the stage before left (Raspberry Pi OS Lite).
if [ ! -d "${ROOTFS_DIR}" ]; then copy_previous; fi

#!/bin/bash -e
# The package that `make deb` built; its service starts with the first boot.
install -m 0644 files/companion.deb "${ROOTFS_DIR}/var/cache/companion.deb"
on_chroot <<'CHROOT'
apt-get install -y --no-install-recommends /var/cache/companion.deb
rm /var/cache/companion.deb
# The log of an evening is written safely; the system's own goes to memory, to spare the card.
mkdir -p /etc/systemd/journald.conf.d
printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=16M\n' > /etc/systemd/journald.conf.d/companion.conf
CHROOT

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
# Its settings lie where a computer shows them: on the card's first part.
install -m 0755 files/companion-settings "${ROOTFS_DIR}/usr/local/sbin/companion-settings"
install -D -m 0644 files/settings.conf "${ROOTFS_DIR}/etc/systemd/system/companion.service.d/settings.conf"
install -D -m 0644 "${ROOTFS_DIR}/etc/companion/companion.toml" "${ROOTFS_DIR}/boot/firmware/companion.toml"
# Of two boxes in one home each keeps its name.
install -m 0755 files/companion-name "${ROOTFS_DIR}/usr/local/sbin/companion-name"
install -m 0644 -t "${ROOTFS_DIR}/etc/systemd/system" files/companion-name.service files/companion-name.timer \
    files/companion-forget-number.service
on_chroot <<'CHROOT'
systemctl enable companion-name.timer companion-forget-number.service
CHROOT

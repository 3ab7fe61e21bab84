#!/bin/bash -e
# Without a known Wi-Fi the Pi opens one of its own, "companion-NNN" (comitup, from Debian); a phone that
# joins it is led to a page with the Wi-Fis around and a field for the password. With a network
# cable nothing of that is needed, and the page would only stand in the panel's place.
install -m 0644 files/comitup.conf "${ROOTFS_DIR}/etc/comitup.conf"
install -m 0755 files/companion-wifi "${ROOTFS_DIR}/usr/local/sbin/companion-wifi"
install -m 0755 files/companion-no-cable "${ROOTFS_DIR}/usr/local/sbin/companion-no-cable"
install -m 0755 files/companion-wifi-on files/companion-forget-wifi "${ROOTFS_DIR}/usr/local/sbin"
install -D -m 0644 files/companion-forget-wifi.service "${ROOTFS_DIR}/etc/systemd/system/companion-forget-wifi.service"
install -D -m 0644 -t "${ROOTFS_DIR}/usr/local/lib/companion-wifi" files/wifi-page/*
install -D -m 0644 files/options.conf "${ROOTFS_DIR}/etc/systemd/system/companion.service.d/options.conf"
install -D -m 0644 files/no-cable.conf "${ROOTFS_DIR}/etc/systemd/system/comitup.service.d/no-cable.conf"
install -D -m 0644 files/comitup-web.conf "${ROOTFS_DIR}/etc/systemd/system/comitup-web.service.d/page.conf"
on_chroot <<'CHROOT'
systemctl enable companion-forget-wifi.service
CHROOT

#!/bin/sh
# In the virtual machine, as its first process: simulated pins and a simulated camera, then Debian's systemd.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin; B=/kmod/busybox V=$(uname -r)
mkdir -p /lib/modules; [ -e "/lib/modules/$V" ] || ln -s "/kmod/modules/$V" "/lib/modules/$V"
for m in configfs gpio-sim vivid; do modprobe $m || $B insmod "/kmod/modules/$V/$m.ko"; done
mountpoint -q /sys/kernel/config || mount -t configfs c /sys/kernel/config
C=/sys/kernel/config/gpio-sim/pi; mkdir -p $C/bank0
echo 28 > $C/bank0/num_lines; echo pinctrl-bcm2711 > $C/bank0/label; echo 1 > $C/live
# An emulated processor is slow, and lacks what numpy would use of a newer one.
mkdir -p /etc/systemd/system.conf.d /etc/systemd/system/companion.service.d /etc/systemd/system/multi-user.target.wants
printf '[Manager]\nDefaultEnvironment="NPY_DISABLE_CPU_FEATURES=X86_V3 X86_V4"\n' > /etc/systemd/system.conf.d/vm.conf
printf '[Service]\nTimeoutStartSec=600\nStandardOutput=journal+console\n' > /etc/systemd/system/companion.service.d/vm.conf
cat > /etc/systemd/system/trial.service <<'U'
[Unit]
Description=Walk through what may go wrong
[Service]
Type=oneshot
ExecStart=/trial.sh
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
TimeoutStartSec=infinity
U
ln -sf /etc/systemd/system/trial.service /etc/systemd/system/multi-user.target.wants/trial.service
ln -sf /dev/null /etc/systemd/system/serial-getty@ttyS0.service
echo companion > /etc/hostname; : > /etc/machine-id
exec /lib/systemd/systemd

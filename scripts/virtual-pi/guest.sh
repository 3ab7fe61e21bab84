#!/bin/sh
# In the virtual machine: a simulated GPIO chip of 28 lines that gpiozero takes for a Pi 4's.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root; B=/kmod/busybox
mount -t tmpfs t /run; V=$(uname -r)
mkdir -p /lib/modules; [ -e "/lib/modules/$V" ] || ln -s "/kmod/modules/$V" "/lib/modules/$V"
modprobe configfs; modprobe gpio-sim
mount -t configfs c /sys/kernel/config
C=/sys/kernel/config/gpio-sim/pi; mkdir -p $C/bank0
echo 28 > $C/bank0/num_lines; echo pinctrl-bcm2711 > $C/bank0/label; echo 1 > $C/live
printf 'Revision\t: c03111\nSerial\t: 1\nModel\t: Raspberry Pi 4 Model B Rev 1.1\n' > /run/cpuinfo; mount -o bind /run/cpuinfo /proc/cpuinfo
cd /tmp || exit
export PYTHONDONTWRITEBYTECODE=1 NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4" PYTHONPATH=@LGPIO@:@REPO@
$B ifconfig lo 127.0.0.1 up
@PY@ @RUN@
echo "DONE rc=$?"; $B poweroff -f

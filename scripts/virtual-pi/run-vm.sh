#!/bin/bash
# run-vm.sh GUEST_SCRIPT [ROOT_DIR=/] [MEM=1024] [TIMEOUT=280]
# Boots $WORKDIR/out/vmlinuz (made by build-vm.sh) without KVM, with ROOT_DIR as its read-only root and
# a file system in memory over it, runs GUEST_SCRIPT there and powers off. In the script @PY@ stands
# for the Python to use. With COUNTED=1 its clock counts instructions and skips what it waits: however busy this
# computer is, nothing takes too long in there.
script=$(realpath "$1") root=$(realpath "${2:-/}") mem=${3:-1024} limit_s=${4:-280}
cd "${WORKDIR:?}" || exit 2
how=(-accel tcg,thread=multi)
[ -z "${COUNTED:-}" ] || how=(-accel tcg,thread=single -icount shift=1,sleep=off -rtc clock=vm)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp -r out/initramfs "$work/i"
sed "s#@PY@#${PY:-python3}#g" "$script" > "$work/i/vmrun.sh"
sed -i 's#^exec switch_root.*#cp /vmrun.sh /mnt/vmrun.sh; exec switch_root /mnt /bin/sh /vmrun.sh#' "$work/i/init"
(cd "$work/i" && find . | cpio -o -H newc --quiet | gzip -1) > "$work/initrd.gz"
timeout "$limit_s" qemu-system-x86_64 "${how[@]}" -M q35 -cpu max -smp 2 -m "$mem" \
    -display none -serial stdio -monitor none -no-reboot -nic none \
    -kernel out/vmlinuz -initrd "$work/initrd.gz" \
    -append "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off nokaslr no_timer_check vm_root=9p" \
    -fsdev local,id=r,path="$root",security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=r,mount_tag=rootshare </dev/null

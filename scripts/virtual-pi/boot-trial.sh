#!/bin/sh
# In the booted Debian: what may go wrong, one thing after the other. Prints each step and how it went.
. /trial-steps.sh; export NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4"
config=/etc/companion/companion.toml data=/var/lib/companion vivid=/sys/bus/platform/drivers/vivid
state() { curl -s -m 60 http://127.0.0.1/api/state; }
camera() { state | python3 -c 'import json, sys; print(json.load(sys.stdin)["camera"])'; }
main_pid() { systemctl show -p MainPID --value companion; }
act() { curl -s -m 60 -X POST -H 'Content-Type: application/json' -H 'Origin: http://127.0.0.1' -d "$2" "http://127.0.0.1/api/act/$1"; echo; }
answers() { state | grep -q '"phase"'; }
is_camera() { camera | grep -q "'status': '$1'"; }
is_another() { [ "$(main_pid)" != "$1" ] && [ "$(main_pid)" != 0 ]; }
players='{"board":"usa","camera":false,"players":[{"name":"Ada","colour":"red"},{"name":"Ben","colour":"blue"}]}'

say "booted: $(systemctl --version | head -1)"; ip link set lo up 2>/dev/null
systemd-analyze verify companion.service companion-health.service
until_so "the panel answers" 300 answers
systemctl --no-pager status companion | head -12
for unit in companion companion-health; do systemd-analyze security $unit.service | tail -1; done
say "doctor"; companion doctor
say "no right to the pins"; chmod 600 /dev/gpiochip0; companion doctor | grep GPIO; chmod 660 /dev/gpiochip0
until_so "the installed version has passed its check" 300 test ! -e /opt/companion/pending # restarts would keep it waiting
# Before the first game: finding a board in the camera's test picture takes minutes here.
say "a USB camera"; sed -i 's/camera = "auto"/camera = "v4l2:0"/' $config; systemctl restart companion
until_so "the panel answers" 300 answers; until_so "the camera is ready" 300 is_camera ready
say "unplugged"; echo vivid.0 > $vivid/unbind; until_so "it is lost" 60 is_camera lost; companion doctor | grep -i camera
say "plugged in"; echo vivid.0 > $vivid/bind; until_so "it is ready" 300 is_camera ready
say "held by another program"; systemctl stop companion
runuser -u companion -- /opt/companion/current/bin/python -c 'import cv2, time; c = cv2.VideoCapture("/dev/video0", cv2.CAP_V4L2); print("held:", c.read()[0], flush=True); time.sleep(900)' > /tmp/held &
holder=$!; until_so "the other program holds it" 180 grep -q True /tmp/held
systemctl start companion; until_so "the panel answers" 300 answers
until_so "it is lost" 120 is_camera lost; camera; pkill -P $holder; kill $holder; until_so "it is ready" 300 is_camera ready
say "a game, and a copy made by root"; act start "$players"
companion log pack /tmp/table.zip; ls -l /tmp/table.zip; echo "not the service's own: $(find $data ! -user companion)"
say "killed"; pid=$(main_pid); kill -9 "$pid"; until_so "another process" 60 is_another "$pid"; until_so "the panel answers" 300 answers
say "hung"; pid=$(main_pid); kill -STOP "$pid"; until_so "another process" 180 is_another "$pid"; until_so "the panel answers" 300 answers
say "a full card"; systemctl stop companion; mount -t tmpfs -o size=3m,mode=750 full $data; chown companion:companion $data
systemctl start companion; until_so "the panel answers" 300 answers; act start "$players"
dd if=/dev/zero of=$data/filler bs=4k 2>/dev/null
act add-ticket '{"player":"red","ticket":"denver--el-paso"}'; companion doctor | grep "MB are free for"
rm $data/filler; act add-ticket '{"player":"red","ticket":"denver--el-paso"}'
umount $data; systemctl restart companion; until_so "the panel answers" 300 answers
say "an update that does not answer"; base=/opt/companion; was=$(readlink $base/current); printf '%s' "${was#*/}" > $base/previous
mkdir -p $base/versions/bad/bin; ln -s "$base/$was/bin/python" $base/versions/bad/bin/python
printf '#!/bin/sh\nexit 1\n' > $base/versions/bad/bin/companion; chmod 755 $base/versions/bad/bin/companion
echo bad > $base/pending; ln -sfn versions/bad $base/current; systemctl restart --no-block companion
mkdir -p /run/systemd/system/companion-health.service.d
printf '[Service]\nEnvironment=COMPANION_HEALTH_PATIENCE_S=40\n' > /run/systemd/system/companion-health.service.d/soon.conf
systemctl daemon-reload; systemctl start companion-health; journalctl -q --no-pager -o cat -u companion-health | tail -3
echo "in use again: $(readlink $base/current)"; until_so "the panel answers" 300 answers; companion doctor | grep -i "$(cut -d' ' -f1 $base/rolled-back)"
say "switched off by the service's own user"; runuser -u companion -- systemctl poweroff; sleep 60; say "still on"; poweroff -f

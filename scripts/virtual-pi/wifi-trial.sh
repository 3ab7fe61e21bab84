#!/bin/sh
# In the booted Debian: a phone joins the Wi-Fi that the box opens, gives it first a wrong password of the
# home's and then the right one, and finds the panel there. Prints each step. `wifi-trial.sh radios`, before
# systemd starts, makes the radios; the phone's and the home's live in network name spaces of their own.
. /trial-steps.sh
if [ "${1:-}" = radios ]; then
    modprobe mac80211_hwsim radios=3
    cat > /etc/systemd/system/radios.service <<'U'
[Unit]
Description=Radios of their own for the phone and the home
DefaultDependencies=no
After=local-fs.target
Before=NetworkManager.service wpa_supplicant.service comitup.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for one in phone home; do ip netns add $one; done; iw phy phy1 set netns name phone; iw phy phy2 set netns name home'
U
    mkdir -p /etc/systemd/system/sysinit.target.wants
    ln -sf /etc/systemd/system/radios.service /etc/systemd/system/sysinit.target.wants/
    exit
fi

phone() { ip netns exec phone "$@"; }
home() { ip netns exec home "$@"; }
words() { tr -d '\n' | sed 's/<[^>]*>/ /g; s/  */ /g' | cut -c1-200; echo; }
box_wifi() { phone iw dev wlan1 scan 2>/dev/null | sed -n 's/.*SSID: \(companion-[0-9][0-9]*\).*/\1/p' | head -1; }
sees_it() { [ -n "$(box_wifi)" ]; }
asks() { phone curl -s -m 10 "http://10.41.0.1$1" | grep -q "$2"; }
page() { asks / Choose; }
panel_beside() { asks :8000/ "<title>"; }
panel() { home curl -s -m 10 "http://$box/" | grep -q "<title>"; }
opens_its_own() { grep -q 8000 /run/companion-options; }
at_home() { nmcli -t -f DEVICE,STATE,CONNECTION device | grep -q "^wlan0:connected:Home"; }
connect() { phone curl -s -m 30 --data-urlencode ssid=Home --data-urlencode "password=$1" http://10.41.0.1/connect | words; }

say "booted"; ip link set lo up
home ip link set lo up; home ip addr add 192.168.77.1/24 dev wlan2
printf 'interface=wlan2\nssid=Home\nhw_mode=g\nchannel=6\nwpa=2\nwpa_key_mgmt=WPA-PSK\nrsn_pairwise=CCMP\nwpa_passphrase=buon gioco\n' > /run/home.conf
home hostapd -B /run/home.conf | tail -1
home dnsmasq --interface=wlan2 --bind-interfaces --dhcp-range=192.168.77.50,192.168.77.90,1h --pid-file=/run/home.pid --leasefile-ro --no-resolv --log-facility=/run/home.log < /dev/null

phone ip link set wlan1 up; until_so "the phone sees the box's Wi-Fi" 300 sees_it
printf 'network={\nssid="%s"\nkey_mgmt=NONE\n}\n' "$(box_wifi)" > /run/phone.conf
phone wpa_supplicant -B -i wlan1 -c /run/phone.conf > /dev/null 2>&1; sleep 10
phone dhclient -1 -v wlan1 2>&1 | grep -E "^bound|^No DHCP"
until_so "its page answers" 120 page; phone curl -s -m 20 http://10.41.0.1/ | words
say "any other page leads there: $(phone curl -s -m 20 -o /dev/null -w '%{http_code} %{redirect_url}' http://example.com/generate_204)"
until_so "the panel is beside it at port 8000" 300 panel_beside
journalctl -q -b --no-pager -o cat -u companion | grep "panel is open"
say "a wrong password"; connect "cattivo gioco"
sleep 30; until_so "the box opens its own Wi-Fi again" 300 opens_its_own; until_so "its page answers the phone" 300 page
say "the right one"; connect "buon gioco"
until_so "the box is in the home's Wi-Fi" 300 at_home
box=$(ip -4 -o addr show wlan0 | sed -n 's/.*inet \([0-9.]*\).*/\1/p')
until_so "the panel is at its port 80" 300 panel
cat > /run/name.py <<'P'
import socket
asked = bytes(4) + b"\0\1" + bytes(6) + b"\x09companion\x05local\0\0\1\x80\1"
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as home:
    home.bind(("192.168.77.1", 0))
    home.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.168.77.1"))
    home.settimeout(30)
    home.sendto(asked, ("224.0.0.251", 5353))
    print("companion.local is", ".".join(map(str, home.recvfrom(2000)[0][-4:])))
P
home python3 /run/name.py
grep -E "state|ttempting" /var/log/comitup.log | tail -12
say "the trial is over"; poweroff -f

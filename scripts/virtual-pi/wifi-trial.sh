#!/bin/sh
# In the booted Debian: a phone joins the Wi-Fi that the box opens and leads it into a home's: with a wrong password
# and the right one, under a hard name, hidden, at 5 GHz, with WPA3; the router goes and comes back, its
# password changes, a file on the card makes the box forget all, the radio is switched off, the power fails. Prints each step. `wifi-trial.sh radios`, before systemd starts,
# makes the radios; the phone's and the home's live in network name spaces of their own.
. /trial-steps.sh
if [ "${1:-}" = radios ]; then
    modprobe mac80211_hwsim radios=3; iw reg set IT
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
words() { tr -d '\n' | sed 's/<style>.*<\/style>//; s/<[^>]*>/ /g; s/  */ /g' | cut -c1-420; echo; }
box_wifi() { phone iw dev wlan1 scan 2>/dev/null | sed -n 's/.*SSID: \(companion-[0-9][0-9]*\).*/\1/p' | head -1; }
sees_it() { [ -n "$(box_wifi)" ]; }
asks() { phone curl -s -m 30 -H "Accept-Language: it" "http://10.41.0.1$1"; }
page() { asks / | grep -q "Quale Wi-Fi"; }
page_says() { asks / | grep -qF "$1"; }
panel_beside() { asks :8000/ | grep -q "<title>"; }
panel() { box=$(ip -4 -o addr show wlan0 | sed -n 's/.*inet \([0-9.]*\).*/\1/p'); home curl -s -m 10 "http://$box/" | grep -q "<title>"; }
opens_its_own() { nmcli -t -f DEVICE,STATE,CONNECTION device | grep -q "^wlan0:connected:companion-"; }
at_home() { [ "$(nmcli -e no -g 802-11-wireless.ssid connection show "$(nmcli -g GENERAL.CON-UUID device show wlan0)" 2>/dev/null)" = "$1" ]; }
connect() { # NAME PASSWORD
    phone curl -s -m 30 --data-urlencode "name=$1" --data-urlencode "password=$2" http://10.41.0.1/connect | words
}
router() { # LINES… of hostapd's configuration; nothing switches it off
    [ ! -e /run/hostapd.pid ] || { kill "$(cat /run/hostapd.pid)"; sleep 2; }
    [ $# -gt 0 ] || return 0
    printf '%s\n' interface=wlan2 wpa=2 rsn_pairwise=CCMP "$@" > /run/home.conf
    home hostapd -B -P /run/hostapd.pid /run/home.conf | grep -v "interface state"
    home ip addr replace 192.168.77.1/24 dev wlan2
}
phone_joins() { phone wpa_supplicant -B -P /run/phone.pid -i wlan1 -c /run/phone.conf > /dev/null 2>&1; }
wpa2='wpa_key_mgmt=WPA-PSK' here='hw_mode=g
channel=6'
leave() { # the box forgets the Wi-Fi it is in
    busctl call com.github.davesteele.comitup /com/github/davesteele/comitup com.github.davesteele.comitup delete_connection
    until_so "the box's page answers again" 200 page
}
moves_to() { # NAME PASSWORD: from the page into that Wi-Fi
    connect "$1" "$2" > /dev/null
    until_so "the box is in «$1»" 120 at_home "$1"
}

say "booted"; ip link set lo up
home ip link set lo up
# A neighbour's name that is no UTF-8 stands beside the home's.
router "ssid=Home" "$here" "$wpa2" "wpa_passphrase=buon gioco" "bss=wlan3" "ssid2=4dfc6c6c6572"
home dnsmasq --interface=wlan2 --bind-dynamic --dhcp-range=192.168.77.50,192.168.77.90,1h --pid-file=/run/home.pid --leasefile-ro --no-resolv --log-facility=/run/home.log < /dev/null

phone ip link set wlan1 up; until_so "the phone sees the box's Wi-Fi" 300 sees_it
own=$(box_wifi)
printf 'network={\nssid="%s"\nkey_mgmt=NONE\n}\n' "$own" > /run/phone.conf
phone_joins; sleep 10
phone dhclient -1 -v wlan1 2>&1 | grep -E "^bound|^No DHCP"
until_so "its page answers" 120 page; asks / | words
until_so "it lists the home's Wi-Fi" 60 page_says ">Home<"
say "any other page leads there: $(phone curl -s -m 20 -o /dev/null -w '%{http_code} %{redirect_url}' http://example.com/generate_204)"
until_so "the panel is beside it at port 8000" 300 panel_beside
say "a password that can be none"; connect Home gioco
say "a wrong one"; connect Home "cattivo gioco"
until_so "its page says so" 300 page_says "la password è sbagliata"; asks / | words
say "the right one"; moves_to Home "buon gioco"
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

say "the router is off"; router
until_so "the box opens its own" 200 opens_its_own; until_so "its page says why" 200 page_says "non ha trovato «Home»"
kill "$(cat /run/phone.pid)" # a phone in the box's Wi-Fi keeps it there
router "ssid=Home" "$here" "$wpa2" "wpa_passphrase=buon gioco"; until_so "back by itself" 500 at_home Home
until_so "the panel is at its port 80" 300 panel
say "the router's password is another"; phone_joins
router "ssid=Home" "$here" "$wpa2" "wpa_passphrase=miglior gioco"
until_so "its page says so" 300 page_says "«Home»: molto probabilmente"; moves_to Home "miglior gioco"; leave

hard="Müller's \"è\" 🎲: <5> \\"
say "a hard name"; router "ssid2=$(printf %s "$hard" | od -An -tx1 | tr -d ' \n')" "$here" "$wpa2" "wpa_passphrase=buon gioco"
until_so "its page lists it" 60 page_says "🎲: &lt;5&gt;"; moves_to "$hard" "buon gioco"; leave
say "hidden"; router "ssid=Nascosto" ignore_broadcast_ssid=1 "$here" "$wpa2" "wpa_passphrase=buon gioco"; moves_to Nascosto "buon gioco"; leave
say "5 GHz"; router "ssid=Cinque" hw_mode=a channel=36 "$wpa2" "wpa_passphrase=buon gioco"
until_so "its page lists it" 60 page_says ">Cinque<"; moves_to Cinque "buon gioco"; leave
say "WPA3 alone"; router "ssid=Tre" "$here" wpa_key_mgmt=SAE ieee80211w=2 "sae_password=buon gioco"
until_so "its page lists it" 60 page_says ">Tre<"; moves_to Tre "buon gioco"

say "a file on the card"; touch /boot/firmware/forget-wifi.txt; systemctl restart companion-forget-wifi comitup
until_so "the box opens its own" 200 opens_its_own; nmcli -t -f NAME,TYPE connection show
say "the radio is switched off"; own_radio=$(iw dev wlan0 info | sed -n 's/.*wiphy //p')
for radio in /sys/class/rfkill/rfkill*; do
    [ "$(cat "$radio/name")" != "phy$own_radio" ] || echo 1 > "$radio/soft"
done
sleep 10; nmcli -t -f DEVICE,STATE device; companion doctor | grep -F "rfkill unblock"
systemctl restart comitup; until_so "the box opens its own" 200 opens_its_own

say "the power fails while comitup writes its number and NetworkManager a Wi-Fi"
: > /var/lib/comitup/comitup.json; for one in /etc/NetworkManager/system-connections/*; do : > "$one"; done
systemctl stop comitup NetworkManager; systemctl start NetworkManager comitup
until_so "the box opens its own again" 200 opens_its_own
grep -E "state|ttempting" /var/log/comitup.log | tail -40
journalctl -q -b --no-pager -o cat -u comitup -u comitup-web | grep -v "^ " | tail -20
journalctl -q -b --no-pager -o short-monotonic -u companion | grep -c "panel is open at http://localhost"
say "the trial is over"; poweroff -f

#!/bin/sh
# What the trials in the booted Debian share: read by them as /trial-steps.sh.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
up() { cut -d. -f1 /proc/uptime; }
say() { echo "=== [$(up) s] $*"; }
until_so() { # WHAT SECONDS COMMAND…: how long it took until the command succeeds
    what=$1 most=$2 start=$(up); shift 2
    while ! "$@"; do
        [ $(($(up) - start)) -lt "$most" ] || { say "NEVER: $what"; return; }
        sleep 1
    done
    say "$what after $(($(up) - start)) s"
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# roceguard export: its format, its files, its bad input; and a real Prometheus that
# scrapes it while the link flaps, somebody drifts the port and the module is loaded
# anew. ROUNDS_PERCENT=750 makes that five minutes. PICTURE=FILE.svg draws what was
# scraped of the pauses.
. "$(dirname "$0")/../lib.sh"
ktap_begin

RULES=/src/user/prometheus
SCRAPE=/src/selftests/guest/scrape
BEGIN=$SECONDS
FLAPS=$(rounds 5)

fresh initiator || exit 1
defer 'fresh initiator'

scrape() {
	on initiator $SCRAPE "$@"
}

# On this machine, which is faster than a host: in the image, with the folder as /build.
inside() {
	LAB_KERNEL='' lab inside "$@"
}

ok "promtool: the alerts" inside "$SELFTESTS/../user/prometheus" -- \
	promtool check rules /build/roceguard.rules.yml
ok "promtool: what the alerts say of made-up hosts" inside "$SELFTESTS/../user/prometheus" -- \
	promtool test rules /build/roceguard.rules.test.yml
ok "the dashboard is JSON with panels" jq -e '[.panels[].targets[].expr] | length > 10' \
	"$SELFTESTS/../user/prometheus/roceguard-dashboard.json"

# Without the module there is one thing to tell.
refused "without the module" 2 "is not loaded" initiator roceguard export --textfile /run/a.prom
is "... the file says so, and nothing else" "roceguard_up 0" \
	"$(on initiator grep -v '^#' /run/a.prom)"

# The profile, and a watchdog that soon believes that a storm is over.
watched() {
	sh_on initiator '
		{ cat /usr/share/roceguard/profiles/storage.conf; printf "[Watchdog]\nRestorationTime=1s\n"; } >/run/storage.conf
		modprobe roceguard && roceguard policy load /run/storage.conf --on roce0' >/dev/null
}

watched
ok "the policy is held" wait_on initiator 10 "$(port_is roce0 enforced)"
wait_on initiator 10 'roceguard export --textfile - | grep -q ^roceguard_samples_total'

METRICS=$(mktemp -d)
defer 'rm -rf "$METRICS"'
on initiator roceguard export --textfile - >"$METRICS/metrics"
is "promtool has nothing to say of the metrics" "exit 0" \
	"$(inside "$METRICS" -- sh -c 'promtool check metrics </build/metrics 2>&1; echo "exit $?"')"

ok "--textfile is there at once, for every reader" sh_on initiator '
	mkdir -p /run/text && cd /run/text && roceguard export --textfile a.prom &&
	[ "$(stat -c "%a %F" a.prom)" = "644 regular file" ] && grep -qx "roceguard_up 1" a.prom || exit
	first=$(stat -c %i a.prom)
	roceguard export --textfile a.prom && [ "$(stat -c %i a.prom)" != "$first" ] &&
	[ "$(ls)" = a.prom ]'
refused "a device is not replaced" 2 "no file" initiator roceguard export --textfile /dev/null
refused "a folder that is not there" 2 "No such file" initiator \
	roceguard export --textfile /nowhere/a.prom
ok "a full disk leaves the old file" sh_on initiator '
	mkdir -p /run/full && mount -t tmpfs -o size=4k none /run/full && cd /run/full || exit
	echo old > a.prom
	! roceguard export --textfile a.prom 2>/dev/null && [ "$(cat a.prom)" = old ] && [ "$(ls)" = a.prom ]
	bad=$?; cd / && umount /run/full && exit $bad'
refused "no address" 1 "use an address and a port" initiator roceguard export --listen localhost:9791
refused "no port" 1 "use an address and a port" initiator roceguard export --listen 127.0.0.1:0
refused "an address of others" 2 "cannot listen" initiator roceguard export --listen 192.0.2.1:9791
refused "both ways at once" 1 "not both" initiator \
	roceguard export --listen 127.0.0.1:9791 --textfile /run/a.prom
refused "as JSON" 1 "no JSON" initiator roceguard -j export

# The server.
defer 'scrape end'
ok "a Prometheus scrapes the exporter" scrape begin $RULES/roceguard.rules.yml
like "it listens on the loopback alone" "^127.0.0.1:9791" \
	"$(sh_on initiator 'ss -ltnH | awk "\$4 ~ /:9791$/ { print \$4 }"')"
SERVED=$SECONDS

flap() {
	lab link initiator down && wait_on initiator 5 '[ "$(cat /sys/class/net/roce0/carrier)" = 0 ]' &&
		lab link initiator up && wait_on initiator 5 '[ "$(cat /sys/class/net/roce0/carrier)" = 1 ]'
}

flaps() {
	local i
	for ((i = 0; i < $1; i++)); do
		flap || return
	done
}

ok "$FLAPS flaps of the link" flaps "$FLAPS"

# A rival while the host is frozen: the port drifts, and the alert says which.
ok "a frozen host drifts" sh_on initiator 'roceguard freeze >/dev/null && dcb pfc set dev roce0 prio-pfc all:off'
ok "... RoceguardPortUnwell fires" scrape firing RoceguardPortUnwell \
	'netdev="roce0",state="drifted"' 30
ok "... RoceguardFrozen fires" scrape firing RoceguardFrozen '' 30
on initiator roceguard thaw >/dev/null
ok "thawed, the one ends" scrape quiet RoceguardPortUnwell 'netdev="roce0"' 30
ok "... and so does the other" scrape quiet RoceguardFrozen '' 30

# The NIC pauses its peer without end; at that speed a pause is long.
defer 'sh_on initiator "echo 0 >/sys/kernel/debug/labnic/roce0/xoff; ethtool -s roce0 autoneg off speed 100000"'
sh_on initiator 'ethtool -s roce0 autoneg off speed 100'
wait_on initiator 10 "$(port_is roce0 enforced)"
ok "the NIC sends pauses without end" sh_on initiator 'echo 8 >/sys/kernel/debug/labnic/roce0/xoff'
ok "... RoceguardPauseStormSent fires" scrape firing RoceguardPauseStormSent \
	'netdev="roce0",priority="3"' 30
sh_on initiator 'echo 0 >/sys/kernel/debug/labnic/roce0/xoff'
ok "... and ends when they do" scrape quiet RoceguardPauseStormSent 'priority="3"' 30

ok "the modules are unloaded" sh_on initiator '
	rmmod roceguard_labnic; rmmod roceguard_rdma; rmmod roceguard'
ok "... RoceguardModuleGone fires" scrape firing RoceguardModuleGone '' 30
watched
ok "loaded again, it ends" scrape quiet RoceguardModuleGone '' 30
ok "$FLAPS flaps more" flaps "$FLAPS"
ok "the policy is held in the end" wait_on initiator 10 "$(port_is roce0 enforced)"

# What was scraped. A slow host may miss a beat.
age=$((SECONDS - SERVED))
# All of one moment, which no scrape is under way to.
at=$(($(on initiator date +%s) - 2))
mapfile -t seen < <(
	scrape value "count_over_time(up[${age}s])" $at
	scrape value "sum_over_time(roceguard_up[${age}s])" $at
	scrape value "sum(count_over_time(roceguard_corrections_total{netdev=\"roce0\"}[${age}s]))" $at)
note "scraped ${seen[0]} times in $age s, ${seen[1]} times with the module there"
read -r failed late < <(scrape missed "$age" $at)
((failed == 0)) || note "the exporter: $(on initiator tail -n 5 /run/scrape/export.log)"
is "every scrape was answered, but for $late that a busy host was too late for" 0 "$failed"
ok "... which are few" test "$late" -le $((age / 10 + 1))
ok "... one a second, or nearly" test "${seen[0]}" -ge $((age * 3 / 4))
# A port is one of RoCE once its first pass has looked at it.
ok "the port is told of whenever the module is there, but for the moment after its load" \
	test $((seen[1] - seen[2])) -ge 0 -a $((seen[1] - seen[2])) -le 2
ok "... which some scrapes have missed" test "${seen[1]}" -lt "${seen[0]}"
is "no alert is left" "" "$(scrape value 'count by (alertname) (ALERTS{alertstate="firing",alertname!~"RoceguardLinkFlaps|RoceguardRival|RoceguardLinkDropped"})')"

# The last scrape is a second old, and a frame may come at any time.
numbers_are_the_same() {
	sh_on initiator "
		for i in 1 2 3 4 5; do
			sleep 1.2
			$SCRAPE wanted roce0 >/run/wanted && $SCRAPE told roce0 >/run/told || exit
			cmp -s /run/wanted /run/told && break
		done
		diff /run/wanted /run/told && [ \$(wc -l </run/told) -gt 20 ]"
}
ok "the server has the numbers of netlink, and no other" numbers_are_the_same

# The main panel of the dashboard, of all that was scraped.
picture() {
	local data
	data=$(mktemp)
	scrape range 'rate(roceguard_pfc_pause_frames_total{netdev="roce0",priority="3"}[5s]) or
		label_replace(roceguard_up - 1, "of", "module", "", "")' "$age" >"$data" &&
		awk 'BEGIN { FS = " " } $1 != last { if (NR > 1) printf "\n\n"; print "\"" $1 "\""; last = $1 }
			{ print $2, $3 }' "$data" >"$data.dat" &&
		gnuplot -e "set terminal svg size 900,400; set output '$1';
			set title 'PFC frames a second; -1: the module is not loaded'; set key below;
			set xdata time; set timefmt '%s'; set format x '%H:%M:%S';
			plot for [i=0:*] '$data.dat' index i using 1:2 with lines title columnheader(1)"
	rm -f "$data" "$data.dat"
}
[[ -z ${PICTURE:-} ]] || ok "the picture $PICTURE" picture "$PICTURE"
note "$((SECONDS - BEGIN)) s"

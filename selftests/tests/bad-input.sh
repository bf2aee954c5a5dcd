#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Whatever is wrong is told in one clear line, and changes nothing: neither the
# policy nor a setting of the NIC nor a connection.
. "$(dirname "$0")/../lib.sh"
ktap_begin
fresh initiator || exit 1
defer 'fresh initiator'
SPEC=/src/Documentation/netlink/specs/roceguard.yaml

# What must stay as it is: policies, counts, the NIC's hardware, what was
# written to it, and the controllers.
# shellcheck disable=SC2016 # for the host
SNAPSHOT='snapshot() {
	[ ! -d /sys/module/roceguard ] || roceguard -j policy show
	grep . /sys/class/net/roce0/roceguard/{corrections,drifts,link_drops,policy,state} 2>/dev/null
	cat /sys/kernel/debug/labnic/roce0/hw
	grep -v "link up\|link down" /sys/kernel/debug/labnic/roce0/journal
	ls /sys/class/nvme 2>/dev/null
}
'

# Cases of a section are run by the host in one go: what they are, how they are
# judged, the exit status and the words to be seen, and the script that runs them.
whats=() judges=() statuses=() words=() script=

# expect JUDGE DESCRIPTION STATUS REGEX CMD...
expect() {
	judges+=("$1") whats+=("$2") statuses+=("$3") words+=("$4")
	shift 4
	[[ ${judges[-1]} != misused ]] || set -- roceguard "$@"
	script+="err=\$(timeout 30 $(printf '%q ' "$@") 2>&1 >/dev/null)
		printf '%s\n%s\036' \$? \"\$err\"
	"
}

# judge I STATUS ERR: did case I end as it should?
judge() {
	local i=$1 status=$2 err=$3 rest
	case ${judges[i]} in
	refused) # one line
		rest=${err#"${err%%$'\n'*}"}
		;;
	misused) # one line, then how to use it
		rest=${err#"${err%%$'\n'*}"}
		[[ $rest != $'\nUsage:'* ]] || rest=
		err=${err%%$'\n'*}
		;;
	no_way) # one line of ours, and what it would take to connect anyway;
		# nvme may have its say, too
		err=$(grep '^roceguard:' <<<"$err" |
			grep -v ': not connected: .* (--anyway connects)$')
		rest=${err#"${err%%$'\n'*}"}
		;;
	esac
	if [[ $status == "${statuses[i]}" && $err =~ ${words[i]} && -z $rest ]]; then
		pass "${whats[i]}: $err"
	else
		fail "${whats[i]}" "expected exit ${statuses[i]} and one line like '${words[i]}', saw exit $status: $3"
	fi
}

# section DESCRIPTION: run and judge the cases so far; nothing may have changed.
section() {
	local out i=0
	mapfile -d $'\036' -t out < <(sh_on initiator "$SNAPSHOT
		snapshot >/tmp/before
		$script snapshot >/tmp/after
		[ -s /tmp/before ] && diff /tmp/before /tmp/after && echo the same")
	for ((i = 0; i < ${#whats[@]}; i++)); do
		judge "$i" "${out[i]%%$'\n'*}" "${out[i]#*$'\n'}"
	done
	is "nothing has changed: $1" "the same" "$(printf '%s' "${out[i]}")"
	whats=() judges=() statuses=() words=() script=
}

user=(setpriv --reuid 1000 --regid 1000 --clear-groups)
connect=(roceguard connect -a "$TARGET" -s "$PORT" -n "$NQN")

# Nothing is loaded yet.

missing="the kernel module is not loaded; run 'modprobe roceguard'"
for command in "policy show" "policy load storage" "port show" monitor history freeze \
	"counters show" "counters watch -n 1" "counters history" "doctor --last-incident"; do
	# shellcheck disable=SC2086
	expect refused "module not loaded, $command" 2 "^roceguard: $missing$" \
		roceguard $command
done
expect no_way "module not loaded, connect" 2 "roceguard.ko is not loaded; remedy: modprobe roceguard$" \
	"${connect[@]}"
section "no module"

# A good policy is in force. What is wrong must not shake it.

ok "a good policy is in force" governed initiator
sh_on initiator 'modprobe nvme-rdma; mkdir -p /tmp/bad/dir /tmp/bad/mixed && cd /tmp/bad || exit
	class="[Class a]\nDSCP=26\nPriority=3\nLossless=yes\n"
	printf "$class[Clas b]\nDSCP=1\nPriority=1\n" > section.conf
	printf "${class}Prioritty=3\n" > key.conf
	printf "[Class a]\nDSCP=26\nPriority=8\n" > priority.conf
	printf "[Class a]\nDSCP=64\nPriority=3\n" > dscp.conf
	printf "$class[Class b]\nDSCP=26\nPriority=4\n" > twice.conf
	printf "$class[Class b]\nDSCP=27\nPriority=3\n" > priotwice.conf
	printf "$class[PFC]\nPriorities=4\n" > pfc.conf
	printf "$class[DSCP]\nMap=26:4\n" > map.conf
	printf "$class[DSCP]\nTrust=pcp\n" > trust.conf
	printf "${class}ECN=yes\n[ECN]\nRP=none\n" > ecn.conf
	printf "${class}[Pause]\nRx=yes\nTx=yes\n" > both.conf
	printf "${class}Share=50\n[ETS]\nPriorityTC=3:1\nTC=0:ets:90 1:ets:10\n" > ets.conf
	printf "$class[PFC]\nPriorities=none\n[Pause]\nRx=no\nTx=no\n" > neither.conf
	printf "$class[Class b]\nDSCP=27\nPriority=4\nShare=101\n" > share.conf
	printf "$class[Connection]\nClass=b\n" > connection.conf
	printf "[Match]\nRDMA=yes\n" > empty.conf
	: > zero.conf
	printf "not a policy\n" > text.conf
	head -c 10485760 /dev/zero > big.conf
	head -c 20000 /dev/urandom > noise.conf
	printf "$class" > secret.conf; chmod 600 secret.conf
	printf "$class" > "bad name.conf"
	mkfifo fifo.conf
	printf "$class" > mixed/a.conf
	printf "${class}Prioritty=3\n" > mixed/b.conf
	ln -s loop.conf loop.conf
	chmod 755 /tmp/bad'
defer 'sh_on initiator "rm -rf /tmp/bad"'

# bad FILE DESCRIPTION REGEX: a policy file that is refused.
bad() {
	expect refused "$2" 1 "^roceguard: /tmp/bad/$1: ?$3" \
		roceguard policy load "/tmp/bad/$1" --on roce0
}
# bad_at FILE LINE DESCRIPTION REGEX
bad_at() {
	expect refused "$3" 1 "^roceguard: /tmp/bad/$1:$2: $4" \
		roceguard policy load "/tmp/bad/$1" --on roce0
}
bad_at section.conf 5 "unknown section" 'unknown section \[Clas b\]; did you mean \[Class'
bad_at key.conf 5 "unknown key" "unknown key Prioritty= .*; did you mean Priority="
bad_at priority.conf 3 "priority 8" "priority 8 is out of range; use 0 to 7$"
bad_at dscp.conf 2 "DSCP 64" "DSCP 64 is out of range; use 0 to 63$"
bad_at twice.conf 6 "one DSCP in two classes" "DSCP 26 is in class a \(line 2\) and in class b; leave it in one$"
bad_at priotwice.conf 7 "one priority in two classes" "priority 3 is class a's already"
bad_at pfc.conf 6 "[PFC] contradicts a class" "PFC on priority 3 is to be off, class a says lossless"
bad_at map.conf 6 "[DSCP] map contradicts a class" "DSCP 26 to priority 4, class a says priority 3"
bad_at trust.conf 6 "[DSCP] trust contradicts a class" "trust pcp, but a class needs trust dscp"
bad_at ecn.conf 7 "[ECN] contradicts a class" "ECN RP on priority 3 is off, class a says yes"
bad_at ets.conf 8 "[ETS] contradicts a class" "TC 1 does not have the 50% of class a"
bad_at neither.conf 6 "lossless with neither PFC nor pause" "a lossless class with neither PFC nor global pause both ways"
bad_at both.conf 6 "PFC and pause at once" "global pause and PFC exclude each other; switch pause off"
bad_at share.conf 8 "a share of 101 %" "percentage 101 is out of range; use 1 to 100"
bad_at connection.conf 6 "connections in a class that does not exist" "there is no class b in this policy"
bad empty.conf "a policy that holds nothing" "the policy holds nothing; give it a class or an expert section"
bad zero.conf "an empty policy file" "the policy holds nothing"
bad_at text.conf 1 "a text file that is no policy" "neither \[Section\] nor Key=value"
bad big.conf "a policy file of 10 MB" "10485760 bytes; policy files are at most [0-9]+ KiB$"
bad 'noise.conf' "a policy file of binary noise" '([0-9]+: )?[[:print:]]+$'
bad "bad name.conf" "a file name that is no policy name" '"bad name" is no name of a policy; rename'
bad fifo.conf "a policy file that is a FIFO" "not a regular file; name a policy file$"
bad loop.conf "a policy file that is a link to itself" "Too many levels of symbolic links"
bad missing.conf "a policy file that does not exist" "No such file or directory"
bad dir "an empty directory" 'no \*.conf in it; name a policy file or a profile$'
expect refused "a directory with a bad file: not even the good ones" 1 \
	"^roceguard: /tmp/bad/mixed/b.conf:5: unknown key" \
	roceguard policy load /tmp/bad/mixed --on roce0
expect refused "a policy file without read permission" 1 \
	"^roceguard: /tmp/bad/secret.conf: Permission denied$" \
	"${user[@]}" roceguard policy load /tmp/bad/secret.conf --on roce0
expect refused "unknown profile" 1 \
	'^roceguard: unknown profile "stroage"; known are .*storage' \
	roceguard policy load stroage --on roce0
expect refused "unknown device" 1 "^roceguard: --on roce9: no such device$" \
	roceguard policy load storage --on roce9
expect refused "a pattern where a device is asked for" 1 "name devices" \
	roceguard policy load storage --on 'roce*'
expect refused "--on and --all at once" 1 "exclude each other" \
	roceguard policy load storage --on roce0 --all
section "bad policy files"

# Who may not.

denied="permission denied; run it as root \(CAP_NET_ADMIN\)$"
expect refused "policy load as an ordinary user" 2 "^roceguard: policy load: $denied" \
	"${user[@]}" roceguard policy load storage --on roce0
expect refused "policy delete as an ordinary user" 2 "^roceguard: policy delete: $denied" \
	"${user[@]}" roceguard policy delete storage
expect refused "port apply as an ordinary user" 2 "^roceguard: port apply: $denied" \
	"${user[@]}" roceguard port apply roce0
expect refused "freeze as an ordinary user" 2 "^roceguard: freeze: $denied" \
	"${user[@]}" roceguard freeze
expect refused "monitor as an ordinary user" 2 "^roceguard: monitor: $denied" \
	"${user[@]}" roceguard monitor
expect no_way "connect as an ordinary user" 2 "/dev/nvme-fabrics: Permission denied; connect as root$" \
	"${user[@]}" "${connect[@]}"
section "an ordinary user"

# Words and options.

expect misused "unknown object" 1 '^roceguard: what is "polcy"\?$' polcy show
expect misused "unknown command" 1 '^roceguard: what is "laod"\?$' policy laod storage
expect misused "a command is missing" 1 '^roceguard: a word is missing$' policy
expect misused "unknown option" 1 "unrecognized option '--jsn'" --jsn port show
expect misused "unknown option of a command" 1 '^roceguard: what is "--onn"\?$' \
	policy load storage --onn roce0
expect misused "an option without its value" 1 '^roceguard: --on needs a value$' \
	policy load storage --on
expect misused "an option twice" 1 '^roceguard: --on stands twice$' \
	policy load storage --on roce0 --on roce0
expect misused "a word too many" 1 '^roceguard: what is "now"\?$' freeze now
expect refused "no file named, and the folder is empty" 1 '^roceguard: /etc/roceguard/policies.d: no \*.conf in it; name a policy file or a profile$' \
	roceguard policy load
expect misused "a time that is no number" 1 '^roceguard: --wait soon: use a number from 0 to' \
	policy load storage --on roce0 --wait soon
expect refused "freeze for no time" 1 '^roceguard: --for 0s: use 1s to 168h' \
	roceguard freeze --for 0s
expect refused "freeze for more than 7 days" 1 '^roceguard: --for 8d: use 1s to 168h' \
	roceguard freeze --for 8d
expect refused "freeze for a time and for what is left" 1 'exclude each other$' \
	roceguard freeze --for 1h --restore
expect misused "monitor: a count of 0" 1 '^roceguard: --count 0: use a number from 1' \
	monitor --count 0
expect misused "connect: unknown option" 1 '^roceguard: connect: unknown option --nqm$' \
	connect --nqm "$NQN"
expect misused "doctor: an address that is none" 1 "^roceguard: doctor: --traddr 192.168.20: not an IPv4 or IPv6 address$" \
	doctor --traddr 192.168.20
expect misused "doctor: a device and an address" 1 "^roceguard: doctor: --traddr and a device exclude each other$" \
	doctor roce0 --traddr "$TARGET"
expect misused "doctor: an incident and an address" 1 "^roceguard: doctor: --traddr and --last-incident exclude each other$" \
	doctor --last-incident --traddr "$TARGET"
expect misused "connect: no address" 1 '^roceguard: connect: --traddr is missing' \
	connect -n "$NQN"
expect refused "policy delete: no such policy" 2 "^roceguard: policy delete: there is no policy of that name$" \
	roceguard policy delete nosuch
expect refused "port show: no such port" 2 "^roceguard: port show: no such port; a port is" \
	roceguard port show lo
section "wrong words"

# A profile for any port, and two ports.

sh_on initiator 'ip link add bad0 type dummy && ip link set bad0 up &&
	ip link add link bad0 name roce1 type labnic' ||
	fail "a second port can be made"
defer 'sh_on initiator "ip link del bad0"'
expect refused "a profile that fits two ports, without --on or --all" 1 \
	"^roceguard: policy load: storage fits 2 ports \(roce0, roce1\); say which by \[Match\], --on DEV or --all$" \
	roceguard policy load storage
section "two ports"

# Malformed policies, past the helper.

# Each line: description|what the kernel says|operation JSON
malformed() {
	cat <<'END'
no name|EINVAL: a policy needs a name|policy-set {}
an empty name|EINVAL: policy name: use letters, digits|policy-set {"name":""}
a name of no bytes|EINVAL: Attribute failed policy validation \[.name\]|policy-set {"raw-1":""}
a name without its NUL|EINVAL: Attribute failed policy validation \[.name\]|policy-set {"raw-1":"61"}
a name of 64 letters|EINVAL: Attribute failed policy validation \[.name\]|policy-set {"name":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","pfc":{"priorities":8}}
a name with a slash|EINVAL: policy name: use letters, digits|policy-set {"name":"../x","pfc":{"priorities":8}}
a name that is a nest|EINVAL: .* \[.name\]|policy-set {"raw-1":"0800010000000000"}
an unknown attribute|EINVAL: Unknown attribute type|policy-set {"name":"storage","unknown":1}
an unknown attribute of a class|EINVAL: Unknown attribute type|policy-set {"name":"storage","class":[{"name":"a","dscp":[1],"priority":3,"unknown":1}]}
a read-only attribute, generation|EINVAL: .*read-only.* \[.generation\]|policy-set {"name":"storage","generation":7}
a read-only attribute, ports|EINVAL: .*read-only.* \[.ports\]|policy-set {"name":"storage","ports":7}
a mode of one byte|EINVAL: invalid attribute length \[.mode\]|policy-set {"name":"storage","raw-2":"01"}
a mode that does not exist|ERANGE: integer out of range \[.mode\]|policy-set {"name":"storage","mode":2}
a class that is no nest|EINVAL: NLA_F_NESTED is missing \[.class\]|policy-set {"name":"storage","raw-4":"00000000"}
a PFC section that is a number|EINVAL: NLA_F_NESTED is missing \[.pfc\]|policy-set {"name":"storage","raw-5":"08000000"}
priority 8|ERANGE: integer out of range \[.class.priority\]|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":8}]}
DSCP 64|ERANGE: integer out of range \[.class.dscp\]|policy-set {"name":"storage","class":[{"name":"a","dscp":[64],"priority":3}]}
a share of 0 %|ERANGE: integer out of range \[.class.share\]|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3,"share":0}]}
lossless 2|ERANGE: integer out of range \[.class.lossless\]|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3,"lossless":2}]}
PFC on priority 8|ERANGE: integer out of range \[.pfc.priorities\]|policy-set {"name":"storage","pfc":{"priorities":256}}
a trust that does not exist|ERANGE: integer out of range \[.dscp.trust\]|policy-set {"name":"storage","dscp":{"trust":2}}
DSCP 64 in the map|ERANGE: integer out of range|policy-set {"name":"storage","dscp":{"map":[{"dscp":64,"priority":1}]}}
half a map entry|EINVAL: a map entry needs a DSCP and a priority|policy-set {"name":"storage","dscp":{"map":[{"dscp":6}]}}
one DSCP mapped twice|EINVAL: this DSCP is mapped twice|policy-set {"name":"storage","dscp":{"map":[{"dscp":6,"priority":1},{"dscp":6,"priority":2}]}}
traffic class 8|ERANGE: integer out of range|policy-set {"name":"storage","ets":{"prio-tc":[{"priority":1,"tc":8}]}}
a priority without its TC|EINVAL: a priority and its TC go together|policy-set {"name":"storage","ets":{"prio-tc":[{"priority":1}]}}
a TC without its TSA|EINVAL: a TC needs its number and its TSA|policy-set {"name":"storage","ets":{"tc":[{"tc":1}]}}
bandwidths that make 90 %|EINVAL: bandwidth of the TCs with TSA ets makes 90%, not 100%|policy-set {"name":"storage","ets":{"prio-tc":[{"priority":1,"tc":1}],"tc":[{"tc":0,"tsa":1,"bandwidth":50},{"tc":1,"tsa":1,"bandwidth":40}]}}
ECN on priority 8|ERANGE: integer out of range \[.ecn.np\]|policy-set {"name":"storage","ecn":{"np":256}}
RoCE mode 3|ERANGE: integer out of range \[.connection.roce-mode\]|policy-set {"name":"storage","connection":{"roce-mode":3}}
a connection in no class|EINVAL: there is no class b in this policy|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3}],"connection":{"class":"b"}}
one DSCP in two classes|EINVAL: DSCP 26 is in class a and in class b|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3},{"name":"b","dscp":[26],"priority":4}]}
one priority in two classes|EINVAL: priority 3 is class a's already|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3},{"name":"b","dscp":[27],"priority":3}]}
two classes of one name|EINVAL: class a stands twice|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3},{"name":"a","dscp":[27],"priority":4}]}
a class without a priority|EINVAL: class a has no priority|policy-set {"name":"storage","class":[{"name":"a","dscp":[26]}]}
a class without a DSCP|EINVAL: class a has no DSCP|policy-set {"name":"storage","class":[{"name":"a","priority":3}]}
a class without a name|EINVAL: class name: use letters, digits|policy-set {"name":"storage","class":[{"dscp":[26],"priority":3}]}
lossless priority 0|EINVAL: priority 0 takes all other traffic|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":0,"lossless":1}]}
PFC that contradicts a class|EINVAL: PFC on priority 3 is to be off, class a says lossless \[.pfc.priorities\]|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3,"lossless":1}],"pfc":{"priorities":16}}
lossless with neither PFC nor pause|EINVAL: a lossless class with neither PFC nor global pause|policy-set {"name":"storage","class":[{"name":"a","dscp":[26],"priority":3,"lossless":1}],"pfc":{"priorities":0}}
PFC and pause at once|EINVAL: global pause and PFC exclude each other|policy-set {"name":"storage","pfc":{"priorities":8},"pause":{"rx":1}}
nine classes|E2BIG: more than 8 classes|policy-set {"name":"storage","class":[{"name":"a","dscp":[1]},{"name":"b","dscp":[2]},{"name":"c","dscp":[3]},{"name":"d","dscp":[4]},{"name":"e","dscp":[5]},{"name":"f","dscp":[6]},{"name":"g","dscp":[7]},{"name":"h","dscp":[8]},{"name":"i","dscp":[9]}]}
17 patterns|E2BIG: more than 16 patterns of one kind|policy-set {"name":"storage","match":{"ifname":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]}}
an empty pattern|EINVAL: an empty pattern matches nothing|policy-set {"name":"storage","match":{"ifname":[""]}}
a speed of 0|ERANGE: integer out of range \[.match.speed-from\]|policy-set {"name":"storage","match":{"speed-from":0}}
a speed above 10 Tbit/s|ERANGE: integer out of range \[.match.speed-to\]|policy-set {"name":"storage","match":{"speed-to":10000001}}
speeds that exclude each other|EINVAL: no speed is both at least 25000 and at most 10000 Mbit/s \[.match.speed-to\]|policy-set {"name":"storage","match":{"speed-from":25000,"speed-to":10000},"pfc":{"priorities":8}}
an empty PCI address|EINVAL: an empty pattern matches nothing|policy-set {"name":"storage","match":{"pci":[""]}}
17 RDMA devices|E2BIG: more than 16 patterns of one kind|policy-set {"name":"storage","match":{"rdma-device":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]}}
a rollout of 101 %|ERANGE: integer out of range \[.rollout\]|policy-set {"name":"storage","rollout":101,"pfc":{"priorities":8}}
a host at 100 % of a rollout|ERANGE: integer out of range \[.rollout-at\]|policy-set {"name":"storage","rollout-at":100,"pfc":{"priorities":8}}
a serial with a slash|EINVAL: serial: use letters, digits.* \[.serial\]|policy-set {"name":"storage","serial":"a/b","pfc":{"priorities":8}}
priority 1001 of a policy|ERANGE: integer out of range \[.priority\]|policy-set {"name":"storage","priority":1001,"pfc":{"priorities":8}}
a policy that holds nothing|EINVAL: the policy holds nothing|policy-set {"name":"storage"}
policy-del without a name|EINVAL: name the policy|policy-del {}
policy-del of no policy|ENOENT: there is no policy of that name|policy-del {"name":"nosuch"}
policy-get of no policy|ENOENT: there is no policy of that name|policy-get {"name":"nosuch"}
port-get without a port|EINVAL: name the port by ifindex or by ifname|port-get {}
port-get of interface 0|ERANGE: integer out of range \[.ifindex\]|port-get {"ifindex":0}
port-apply of two names|EINVAL: name the port by ifindex or by ifname|port-apply {"ifindex":1,"ifname":"roce0"}
port-apply of no port|ENODEV: no such port|port-apply {"ifname":"lo"}
port-get with a name of 16 letters|EINVAL: Attribute failed policy validation \[.ifname\]|port-get {"ifname":"aaaaaaaaaaaaaaaa"}
mode-get with an unknown attribute|EINVAL: Unknown attribute type|mode-get {"unknown":1}
mode-get with an attribute|EINVAL: mode-get takes nothing|mode-get {"mode":1}
mode-set of nothing|EINVAL: give a mode, frozen, or both|mode-set {}
a host mode that does not exist|ERANGE: integer out of range \[.mode\]|mode-set {"mode":3}
frozen 2|ERANGE: integer out of range \[.frozen\]|mode-set {"frozen":2}
a read-only attribute of the host|EINVAL: .*read-only.* \[.generation\]|mode-set {"frozen":0,"generation":1}
a freeze of 0 s|ERANGE: integer out of range \[.freeze-for\]|mode-set {"frozen":1,"freeze-for":0}
a freeze of more than 7 days|ERANGE: integer out of range \[.freeze-for\]|mode-set {"frozen":1,"freeze-for":604801}
the time of a thaw|EINVAL: freeze-for goes with frozen 1|mode-set {"frozen":0,"freeze-for":1}
what is left of a freeze|EINVAL: Unknown attribute type|mode-set {"frozen":1,"freeze-left":1}
END
}

mapfile -t answers < <(sh_on initiator "$SNAPSHOT
	snapshot >/tmp/before
	/src/selftests/ynl-requests $SPEC 2>&1 <<'END'
$(malformed | sed 's/^[^|]*|[^|]*|//')
END
	snapshot >/tmp/after
	[ -s /tmp/before ] && diff /tmp/before /tmp/after && echo the same")
i=0
while IFS='|' read -r what answer _; do
	like "ynl: $what: ${answers[i]-no answer}" "^$answer" "${answers[i]-no answer}"
	i=$((i + 1))
done < <(malformed)
is "nothing has changed: malformed requests" "the same" \
	"$(printf '%s\n' "${answers[@]:i}")"

# Connections.

lab target >/dev/null || fail "the target exports"
expect refused "connect --tos 107" 1 "ToS 107 has both ECN bits set \(CE\): .*; use 104, or 106 for ECT\(0\)$" \
	"${connect[@]}" --tos 107
expect refused "connect with a comma in the NQN" 1 "--nqn has a comma at byte 39" \
	roceguard connect -a "$TARGET" -s "$PORT" -n "$NQN,tos=0"
expect refused "connect to port 0" 1 "--trsvcid 0: must be 1 to 65535$" \
	roceguard connect -a "$TARGET" -s 0 -n "$NQN"
expect no_way "connect without a route" 2 "10.1.1.1: no route to it$" \
	roceguard connect -a 10.1.1.1 -s "$PORT" -n "$NQN"
expect no_way "connect to a dead address" 2 "192.168.20.77.*is the target up" \
	roceguard connect -a 192.168.20.77 -s "$PORT" -n "$NQN"
expect no_way "connect to a subsystem that the target lacks" 2 "nvme connect failed" \
	roceguard connect -a "$TARGET" -s "$PORT" -n "$NQN.none"
expect no_way "connect without nvme-cli" 2 "nvme-cli is not installed .*: apt install nvme-cli$" \
	unshare -m sh -c 'mount --bind /dev/null /usr/sbin/nvme && exec "$@"' sh "${connect[@]}"
section "connections that can't be"

sh_on initiator 'roceguard freeze >/dev/null; dcb pfc set dev roce0 prio-pfc 3:off'
wait_on initiator 5 "$(port_is roce0 drifted)" || fail "drift is seen"
expect no_way "connect with PFC drifted off" 3 "pfc on roce0: knob pfc is drifted: has none, wants 3; remedy: roceguard thaw$" \
	"${connect[@]}"
section "PFC drifted off"
sh_on initiator 'roceguard thaw >/dev/null'
wait_on initiator 5 "$(port_is roce0 enforced)" || fail "thaw heals"

sh_on initiator 'roceguard policy delete storage >/dev/null'
wait_on initiator 5 "$(port_is roce0 unmanaged)" || fail "the policy goes"
expect no_way "connect over a port without policy" 3 "policy on roce0: no policy governs this port; remedy: roceguard policy load storage --on roce0$" \
	"${connect[@]}"
section "no policy"

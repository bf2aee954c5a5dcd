# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The agent, started by hand, and what it serves: sh_on HOST "$STORAGE; $AGENT; ...".
# shellcheck disable=SC2034 # for who sources this
AGENT=$(cat <<'HOST'
knob_is() { value_is "/sys/class/net/roce0/roceguard/knobs/$1" "$2"; }
# cm FILE [VALUE]: what rdma_cm has, or gets, by a folder that stays no longer
cm() {
	local folder=/sys/kernel/config/rdma_cm/rxe0
	mkdir $folder
	if [[ $# == 2 ]]; then echo "$2" > $folder/ports/1/$1; else cat $folder/ports/1/$1; fi
	rmdir $folder
}
cm_is() { [[ $(cm "$1") == "$2" ]]; }
have_is() { [[ $(knob "$1" have) == "$2" ]]; }
egress() {
	ip -d -j link show "$1" |
		jq -r '[.[0].linkinfo.info_data.egress_qos[]? | "\(.from):\(.to)"] | join(" ")'
}
egress_is() { [[ $(egress "$1") == "$2" ]]; }
# agent_up [SECONDS]: the agent, and who listens in place of systemd
agent_up() {
	python3 - <<'END' >/run/notify.log 2>&1 &
import os, socket
try:
    os.unlink("/run/notify")
except FileNotFoundError:
    pass
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("/run/notify")
print("bound", flush=True)
while True:
    text = s.recv(1024).decode()
    if not text.startswith("WATCHDOG"):
        print(text, flush=True)
    if text.startswith("STOPPING"):
        break
END
	until_ok 60 grep -q bound /run/notify.log
	NOTIFY_SOCKET=/run/notify roceguard agent --policies /run/policies.d --audit ${1:-1} \
		>/run/agent.log 2>&1 &
	echo $! > /run/agent.pid
}
agent_down() { kill "$(</run/agent.pid)"; rm -rf /run/policies.d; }
HOST
)

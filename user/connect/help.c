// SPDX-License-Identifier: GPL-2.0
/* What roceguard connect --help says. */

#include <stdio.h>
#include "cmd/cmd.h"
#include "connect.h"

const char cmd_connect_usage[] =
"  roceguard connect -a ADDRESS -n NQN [-s PORT] [--tos N] [-w ADDRESS]\n"
"                    [-f IFACE] [nvme-cli options] [--anyway] [--dry-run]\n"
"                    [--timeout SECONDS]\n";

/**
 * conn_help() - print the help
 */
void conn_help(void)
{
	fputs("Usage:\n", stdout);
	fputs(cmd_connect_usage, stdout);
	fputs(
"\n"
"Connects NVMe over RDMA (RoCE v2) after proving that this host's side of the\n"
"path is lossless: ToS, DSCP, priority, traffic class, PFC, RoCE v2 GID.\n"
"\n"
"  -a, --traddr ADDRESS      target: IPv4, IPv6 (fe80::1%eth0) or a host name\n"
"  -s, --trsvcid PORT        its port, default 4420\n"
"  -n, --nqn NQN             subsystem\n"
"  -w, --host-traddr ADDRESS source address\n"
"  -f, --host-iface IFACE    leave by this interface (its address becomes the\n"
"                            source address: nvme-rdma has no other way)\n"
"  -T, --tos N               ToS byte instead of the policy's; not with both\n"
"                            ECN bits set\n"
"  -t, --transport rdma      the only one there is here\n"
"      --anyway              connect over a broken chain too: \"degraded\"\n"
"      --dry-run             show the chain and the nvme command, do nothing\n"
"      --timeout SECONDS     stop nvme after that long, default 60\n"
"  -v, --verbose             show what nvme says on its standard output\n"
"  -h, --help                this text\n"
"\n"
"Passed on to nvme-cli: -q/--hostnqn -I/--hostid -S/--dhchap-secret\n"
"-C/--dhchap-ctrl-secret -i/--nr-io-queues -W/--nr-write-queues\n"
"-P/--nr-poll-queues -Q/--queue-size -k/--keep-alive-tmo -c/--reconnect-delay\n"
"-l/--ctrl-loss-tmo -F/--fast-io-fail-tmo -D/--duplicate-connect\n"
"--disable-sqflow -J/--config --context\n"
"\n"
"Exit status: 0 connected over a lossless path; 1 usage; 2 nvme, the kernel or\n"
"the module said no; 3 the chain is broken (with --anyway: connected, degraded).\n",
	      stdout);
}

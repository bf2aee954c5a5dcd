/* SPDX-License-Identifier: GPL-2.0 */
/* The usage lines of each object, for --help and after a wrong word. */
#ifndef RG_USAGE_H
#define RG_USAGE_H

#define cmd_policy_usage						\
	"  roceguard policy show [NAME]\n"				\
	"  roceguard policy load [FILE|DIR|PROFILE] [--on DEV[,DEV]|--all]\n" \
	"                        [--observe] [--prune] [--confirm-within TIME]\n" \
	"                        [--wait SECONDS]\n"			\
	"  roceguard policy confirm [NAME]\n"				\
	"  roceguard policy diff FILE|PROFILE [DEV]\n"			\
	"  roceguard policy new PROFILE [--name NAME]\n"		\
	"  roceguard policy import DEV [--name NAME]\n"			\
	"  roceguard policy delete NAME [--restore]\n"			\
	"  roceguard policy dump [NAME]\n"

#define cmd_port_usage							\
	"  roceguard port show [DEV]\n"					\
	"  roceguard port apply [DEV] [--now] [--wait SECONDS]\n"	\
	"  roceguard port restore DEV [--wait SECONDS]\n"

#define cmd_counters_usage						\
	"  roceguard counters show [DEV] [-d SECONDS]\n"		\
	"  roceguard counters watch [DEV] [-n COUNT] [-i SECONDS]\n"	\
	"  roceguard counters history [DEV] [--clear]\n"

#define cmd_monitor_usage						\
	"  roceguard monitor [--count N] [--timeout SECONDS]\n"

#define cmd_history_usage						\
	"  roceguard history [DEV]\n"

#define cmd_check_usage							\
	"  roceguard check [DEV]\n"

#define cmd_doctor_usage						\
	"  roceguard doctor [DEV | --traddr ADDRESS] [-i SECONDS | --last-incident]\n"

#define cmd_freeze_usage						\
	"  roceguard freeze [--for TIME | --restore]\n"

#define cmd_thaw_usage							\
	"  roceguard thaw\n"

#define cmd_agent_usage							\
	"  roceguard agent [--policies DIR] [--audit SECONDS]\n"

#define cmd_export_usage							\
	"  roceguard export [--listen ADDRESS:PORT | --textfile FILE]\n"

#endif /* RG_USAGE_H */

// SPDX-License-Identifier: GPL-2.0
/* Policy files: what is read, what is refused in which words, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf.h"
#include "model.h"
#include "nl.h"

#define A_CLASS "[Class a]\nDSCP=26\nPriority=3\n"
#define TEN	"1234567890"

/* A file that is refused, and the line that says so. */
struct bad {
	const char *text;
	const char *error;
};

static const struct bad bad_cases[] = {
	/* Sections */
	{ "[Clas a]\n",
	  "f.conf:1: unknown section [Clas a]; did you mean [Class NAME]?" },
	{ "[match]\n",
	  "f.conf:1: unknown section [match]; did you mean [Match]?" },
	{ "\n\n[Nonsense]\n",
	  "f.conf:3: unknown section [Nonsense]; known are [Match] [Class NAME] [Policy] [Connection] [PFC] [DSCP] [ETS] [ECN] [Pause] [DCBX] [MaxRate] [Buffer] [StormPrevention] [DCQCN] [CNP] [Check] [RDMACM] [VLAN] [Watchdog]" },
	{ "[Match] Driver=x\n",
	  "f.conf:1: words after [Match]; begin a new line" },
	{ "[Match x]\n",
	  "f.conf:1: unknown section [Match x]; did you mean [Match]?" },
	{ "[Class]\n",
	  "f.conf:1: [Class ]: a class needs a name of letters, digits, '.', '_' and '-', at most 63" },
	{ "[Class a b]\n",
	  "f.conf:1: [Class a b]: a class needs a name of letters, digits, '.', '_' and '-', at most 63" },
	{ A_CLASS "[Class a]\n",
	  "f.conf:4: [Class a] stands twice, first on line 1; join them" },
	{ "[Match\n",
	  "f.conf:1: neither [Section] nor Key=value nor # comment; mend the line" },
	/* Keys */
	{ "Mode=enforce\n",
	  "f.conf:1: Mode= stands before any section; put it below one, as [Match]" },
	{ "[Class a]\nPriorty=3\n",
	  "f.conf:2: unknown key Priorty= in [Class a]; did you mean Priority=?" },
	{ "[Class a]\nPrio=3\n",
	  "f.conf:2: unknown key Prio= in [Class a]; did you mean Priority=?" },
	{ "[Policy]\nFrobnicate=3\n",
	  "f.conf:2: unknown key Frobnicate= in [Policy]; known are Mode= Disruptive= Priority= Rollout= Serial=" },
	{ "[Class a]\nPriority\n",
	  "f.conf:2: neither [Section] nor Key=value nor # comment; mend the line" },
	{ "[Class a]\nnonsense\nPriority=9\n",
	  "f.conf:2: neither [Section] nor Key=value nor # comment; mend the line" },
	{ "[Class a]\nPriority=\n",
	  "f.conf:2: Priority= has no value; give it one or remove it" },
	{ "[Class a]\nPriority=3\n\nPriority=3\n",
	  "f.conf:4: Priority= stands twice, first on line 2; remove one" },
	{ "[Policy]\nMode=enforce\n[Match]\n[Policy]\nMode=observe\n",
	  "f.conf:5: Mode= stands twice, first on line 2; remove one" },
	/* Numbers */
	{ "[Class a]\nPriority=8\n",
	  "f.conf:2: priority 8 is out of range; use 0 to 7" },
	{ "[Class a]\nPriority=-1\n",
	  "f.conf:2: \"-1\" is no priority; use 0 to 7" },
	{ "[Class a]\nPriority=3 4\n",
	  "f.conf:2: \"3 4\" is no priority; use 0 to 7" },
	{ "[Class a]\nPriority=0x3\n",
	  "f.conf:2: \"0x3\" is no priority; use 0 to 7" },
	{ "[Class a]\nDSCP=64\n",
	  "f.conf:2: DSCP 64 is out of range; use 0 to 63" },
	{ "[Class a]\nDSCP=99999999999999999999\n",
	  "f.conf:2: DSCP 99999999999999999999 is out of range; use 0 to 63" },
	{ "[Class a]\nDSCP=26 af31\n",
	  "f.conf:2: \"af31\" is no DSCP; use 0 to 63" },
	{ "[Class a]\nDSCP=26 # storage\n",
	  "f.conf:2: \"#\" is no DSCP; use 0 to 63" },
	{ "[Class a]\nDSCP=26\nDSCP=26\n",
	  "f.conf:3: DSCP 26 stands twice, first on line 2; remove one" },
	{ A_CLASS "[Class b]\nDSCP=46 26\n",
	  "f.conf:5: DSCP 26 is in class a (line 2) and in class b; leave it in one" },
	{ "[Class a]\nShare=0%\n",
	  "f.conf:2: percentage 0 is out of range; use 1 to 100" },
	{ "[Class a]\nShare=101\n",
	  "f.conf:2: percentage 101 is out of range; use 1 to 100" },
	{ "[Class a]\nShare=half\n",
	  "f.conf:2: \"half\" is no percentage; use 1 to 100" },
	{ "[Class a]\nLossless=maybe\n",
	  "f.conf:2: Lossless=maybe; use yes or no" },
	{ "[Policy]\nMode=off\n",
	  "f.conf:2: Mode=off; use enforce or observe" },
	{ "[Policy]\nDisruptive=never\n",
	  "f.conf:2: Disruptive=never; use budget or linkdown or now" },
	{ "[DCBX]\nMode=switch\n",
	  "f.conf:2: Mode=switch; use keep or follow or host" },
	{ "[MaxRate]\nTC=1\n",
	  "f.conf:2: \"1\" is no limit; use TC:RATE, as 1:10Gbit" },
	{ "[MaxRate]\nTC=8:1Gbit\n",
	  "f.conf:2: TC 8 is out of range; use 0 to 7" },
	{ "[MaxRate]\nTC=1:10\n",
	  "f.conf:2: \"10\" is no rate; use a number of kbit, Mbit or Gbit, as 10Gbit, or none" },
	{ "[MaxRate]\nTC=1:Gbit\n",
	  "f.conf:2: \"Gbit\" is no rate; use a number of kbit, Mbit or Gbit, as 10Gbit, or none" },
	{ "[MaxRate]\nTC=1:0Gbit\n",
	  "f.conf:2: rate 0 is out of range; use 1 to 4294" },
	{ "[MaxRate]\nTC=1:4295Gbit\n",
	  "f.conf:2: rate 4295 is out of range; use 1 to 4294" },
	{ "[MaxRate]\nTC=1:1Gbit 1:none\n",
	  "f.conf:2: TC 1 stands twice; remove one" },
	{ "[RDMACM]\nToS=256\n",
	  "f.conf:2: ToS 256 is out of range; use 0 to 255" },
	{ "[RDMACM]\nToS=107\n",
	  "f.conf:2: ToS 107 says congestion was met (CE); use 104, or 106 for ECT(0)" },
	{ "[RDMACM]\nMode=3\n",
	  "f.conf:2: RoCE mode 3 is out of range; use 1 to 2" },
	{ A_CLASS "Lossless=yes\n[RDMACM]\nToS=96\n",
	  "f.conf:6: ToS 96 is DSCP 24, not one of class a; try ToS 104" },
	{ A_CLASS "[Connection]\nRoCEMode=2\n[RDMACM]\nMode=1\n",
	  "f.conf:7: RoCE mode 1, but connections are to take mode 2" },
	{ A_CLASS "[VLAN]\nEgress=yes\n",
	  "f.conf:5: which class is for VLANs? say so: [Connection] Class=" },
	{ "[Class a]\nDSCP=24\nPriority=3\nLossless=yes\n[VLAN]\nEgress=yes\n",
	  "f.conf:6: DSCP 24 has socket priority 0 as all other traffic; take 26" },
	{ "[VLAN]\nEgress=no\n",
	  "f.conf: the policy holds nothing; give it a class or an expert section" },
	{ "[Buffer]\nSize=131072\n",
	  "f.conf:2: \"131072\" is no size; use BUFFER:BYTES, as 1:131072" },
	{ "[Buffer]\nSize=8:1\n",
	  "f.conf:2: buffer 8 is out of range; use 0 to 7" },
	{ "[Buffer]\nSize=1:4294967296\n",
	  "f.conf:2: size in bytes 4294967296 is out of range; use 0 to 4294967295" },
	{ "[Buffer]\nSize=1:1 1:2\n",
	  "f.conf:2: buffer 1 stands twice; remove one" },
	{ "[Buffer]\nPriority=3:8\n",
	  "f.conf:2: buffer 8 is out of range; use 0 to 7" },
	{ "[Buffer]\nPriority=3:1 3:2\n",
	  "f.conf:2: priority 3 is mapped twice; remove one" },
	{ "[Buffer]\nSize=1:0\nPriority=3:1\n",
	  "f.conf:3: priority 3 goes to buffer 1, which has no bytes" },
	{ "[PFC]\nCableLength=0m\n",
	  "f.conf:2: length in metres 0 is out of range; use 1 to 999" },
	{ "[PFC]\nCableLength=1000m\n",
	  "f.conf:2: length in metres 1000 is out of range; use 1 to 999" },
	{ "[Class a]\nCableLength=5ft\n",
	  "f.conf:2: \"5ft\" is no length in metres; use 1 to 999" },
	{ "[Class a]\nCableLength=m\n",
	  "f.conf:2: \"m\" is no length in metres; use 1 to 999" },
	{ "[StormPrevention]\nTimeout=100\n",
	  "f.conf:2: \"100\" is no time; use 80ms to 8s, auto or off" },
	{ "[StormPrevention]\nTimeout=9s\n",
	  "f.conf:2: time 9 is out of range; use 1 to 8" },
	{ "[StormPrevention]\nTimeout=8001ms\n",
	  "f.conf:2: time 8001 is out of range; use 1 to 8000" },
	{ "[StormPrevention]\nTimeout=79ms\n",
	  "f.conf:2: 79 ms is out of range, use 80 to 8000, 0 (off) or 65535 (auto)" },
	{ "[Watchdog]\nDetectionTime=200\n",
	  "f.conf:2: \"200\" is no time; use 100ms to 60s" },
	{ "[Watchdog]\nDetectionTime=61s\n",
	  "f.conf:2: time 61 is out of range; use 1 to 60" },
	{ "[Watchdog]\nDetectionTime=99ms\n" A_CLASS,
	  "f.conf:2: detection time 99 ms is out of range, use 100 to 60000" },
	{ "[Watchdog]\nRestorationTime=1h\n",
	  "f.conf:2: \"1h\" is no time; use 100ms to 3600s" },
	{ "[Watchdog]\nRestorationTime=99ms\n" A_CLASS,
	  "f.conf:2: restoration time 99 ms is out of range, use 100 to 3600000" },
	{ "[Watchdog]\nAction=drop\n",
	  "f.conf:2: Action=drop; use alert or pfc-off" },
	{ "[Watchdog]\nAction=pfc-off\n" A_CLASS,
	  "f.conf:2: pfc-off, but no priority of the policy has PFC; use alert" },
	{ "[Watchdog]\nForce=yes\n" A_CLASS,
	  "f.conf:2: nothing to force: it needs the action pfc-off" },
	{ "[DCQCN]\nGD=12\n",
	  "f.conf:2: GD 12 is out of range; use 10 to 11" },
	{ "[DCQCN]\nRateAI=4294967296\n",
	  "f.conf:2: RateAI 4294967296 is out of range; use 0 to 4294967295" },
	{ "[DCQCN]\nRateAI=5 6\n",
	  "f.conf:2: \"5 6\" is no RateAI; use 0 to 4294967295" },
	{ "[DCQCN]\nRateAL=5\n",
	  "f.conf:2: unknown key RateAL= in [DCQCN]; did you mean RateAI=?" },
	{ "[DCQCN]\nDSCP=5\n",
	  "f.conf:2: unknown key DSCP= in [DCQCN]; did you mean RTTDSCP=?" },
	{ "[CNP]\nDSCP=48\n[CNP]\nDSCP=48\n",
	  "f.conf:4: DSCP= stands twice, first on line 2; remove one" },
	{ "[Check]\nMTU=351\n",
	  "f.conf:2: MTU 351 is out of range; use 352 to 65535" },
	{ "[Check]\nMTU=65536\n",
	  "f.conf:2: MTU 65536 is out of range; use 352 to 65535" },
	{ "[Connection]\nRoCEMode=3\n",
	  "f.conf:2: RoCE mode 3 is out of range; use 1 to 2" },
	{ "[Connection]\nClass=a b\n",
	  "f.conf:2: \"a b\" is no name of a class; use letters, digits, '.', '_' and '-', at most 63" },
	/* Match */
	{ "[Match]\nName=ens[01]\n",
	  "f.conf:2: the pattern \"ens[01]\" has a bracket or a backslash; only * and ? are wildcards" },
	{ "[Match]\nName=" TEN TEN TEN TEN TEN TEN TEN "\n",
	  "f.conf:2: a pattern of 70 bytes; use at most 63" },
	{ "[Match]\nDriver=a b a\n",
	  "f.conf:2: \"a\" stands twice; remove one" },
	{ "[Match]\nDriver=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n",
	  "f.conf:2: more than 16 patterns in Driver=; use wildcards" },
	{ "[Match]\nRDMADevice=mlx5_[01]\n",
	  "f.conf:2: the pattern \"mlx5_[01]\" has a bracket or a backslash; only * and ? are wildcards" },
	{ "[Match]\nPCI=0000:3b:00.0\nPCI=0000:3b:00.0\n",
	  "f.conf:3: \"0000:3b:00.0\" stands twice; remove one" },
	{ "[Match]\nSpeed=100\n",
	  "f.conf:2: \"100\" is no speed; use 1M to 10T, as 100G, >=25G or <=2500M" },
	{ "[Match]\nSpeed=>25G\n",
	  "f.conf:2: \">25G\" is no speed; use 1M to 10T, as 100G, >=25G or <=2500M" },
	{ "[Match]\nSpeed=0G\n",
	  "f.conf:2: speed 0G is out of range; use 1M to 10T" },
	{ "[Match]\nSpeed=>=10001G\n",
	  "f.conf:2: speed 10001G is out of range; use 1M to 10T" },
	{ "[Match]\nSpeed=25G 100G\n",
	  "f.conf:2: Speed= stands twice with 100G; use one speed, or one >= and one <=, and another policy for other speeds" },
	{ "[Match]\nSpeed=>=25G\nSpeed=>=40G\n",
	  "f.conf:3: Speed= stands twice with >=40G; use one speed, or one >= and one <=, and another policy for other speeds" },
	{ A_CLASS "[Match]\nSpeed=>=25G\nSpeed=<=10G\n",
	  "f.conf:5: no speed is both at least 25000 and at most 10000 Mbit/s" },
	{ "[Policy]\nPriority=1001\n",
	  "f.conf:2: priority 1001 is out of range; use 0 to 1000" },
	{ "[Policy]\nRollout=101%\n",
	  "f.conf:2: percentage 101 is out of range; use 0 to 100" },
	{ "[Policy]\nRollout=some\n",
	  "f.conf:2: \"some\" is no percentage; use 0 to 100" },
	{ "[Policy]\nSerial=a/b\n",
	  "f.conf:2: \"a/b\" is no serial; use letters, digits, '.', '_' and '-', at most 63" },
	{ "[Policy]\nPriority=high\n",
	  "f.conf:2: \"high\" is no priority; use 0 to 1000" },
	/* Expert sections */
	{ "[PFC]\nPriorities=3 none\n",
	  "f.conf:2: Priorities= has priorities and \"none\"; remove one of them" },
	{ "[PFC]\nPriorities=none 3\n",
	  "f.conf:2: Priorities= has \"none\" and priorities; remove one of them" },
	{ "[PFC]\nPriorities=3 3\n",
	  "f.conf:2: priority 3 stands twice in Priorities=; remove one" },
	{ "[PFC]\nPriorities=0,1\n",
	  "f.conf:2: \"0,1\" is no priority; use 0 to 7" },
	{ "[DSCP]\nTrust=both\n",
	  "f.conf:2: Trust=both; use pcp or dscp" },
	{ "[DSCP]\nMap=26\n",
	  "f.conf:2: \"26\" is no mapping; use DSCP:PRIORITY, as 26:3" },
	{ "[DSCP]\nMap=26:3:1\n",
	  "f.conf:2: \"26:3:1\" is no mapping; use DSCP:PRIORITY, as 26:3" },
	{ "[DSCP]\nMap=64:3\n",
	  "f.conf:2: DSCP 64 is out of range; use 0 to 63" },
	{ "[DSCP]\nMap=26:8\n",
	  "f.conf:2: priority 8 is out of range; use 0 to 7" },
	{ "[DSCP]\nMap=26:3\nMap=26:3\n",
	  "f.conf:3: DSCP 26 is mapped twice; remove one" },
	{ "[ETS]\nPriorityTC=3\n",
	  "f.conf:2: \"3\" is no mapping; use PRIORITY:TC, as 3:1" },
	{ "[ETS]\nPriorityTC=3:8\n",
	  "f.conf:2: TC 8 is out of range; use 0 to 7" },
	{ "[ETS]\nPriorityTC=3:1 3:2\n",
	  "f.conf:2: priority 3 is mapped twice; remove one" },
	{ "[ETS]\nTC=0\n",
	  "f.conf:2: \"0\" says too little; use TC:ets:PERCENT or TC:strict, as 0:ets:50" },
	{ "[ETS]\nTC=0:ets:1:2\n",
	  "f.conf:2: \"0:ets:1:2\" says too much; use TC:ets:PERCENT or TC:strict, as 0:ets:50" },
	{ "[ETS]\nTC=0:ets\n",
	  "f.conf:2: \"0:ets\": ets needs a percentage; use TC:ets:PERCENT or TC:strict, as 0:ets:50" },
	{ "[ETS]\nTC=0:strict:5\n",
	  "f.conf:2: \"0:strict:5\": strict has no percentage; use TC:ets:PERCENT or TC:strict, as 0:ets:50" },
	{ "[ETS]\nTC=0:fair:5\n",
	  "f.conf:2: TC=fair; use strict or ets" },
	{ "[ETS]\nTC=0:strict 0:strict\n",
	  "f.conf:2: TC 0 stands twice; remove one" },
	{ "[Pause]\nRx=1x\n", "f.conf:2: Rx=1x; use yes or no" },
	/* Bytes */
	{ "[Match]\nName=a\x01" "b\n",
	  "f.conf:2: byte 7 is 0x01, which is no text; is this a policy file?" },
	{ "[Match]\nName=a\r*\n",
	  "f.conf:2: byte 7 is 0x0d, which is no text; is this a policy file?" },
	{ "\x7f" "ELF\x02",
	  "f.conf:1: byte 1 is 0x7f, which is no text; is this a policy file?" },
	{ "# caf\xe9\n",
	  "f.conf:1: byte 6 is 0xe9, which is no text; is this a policy file?" },
	{ "#" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
	  TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "\n",
	  "f.conf:1: a line of 201 bytes; use at most 196, a list may go on with its key again" },
};

static void bad_files_are_refused_in_words(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf *conf = malloc(sizeof(*conf));
	size_t i;

	(void)state;
	assert_non_null(conf);
	for (i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		assert_int_equal(conf_parse(conf, "f.conf", "f",
					    bad_cases[i].text,
					    strlen(bad_cases[i].text), error),
				 -1);
		assert_string_equal(error, bad_cases[i].error);
	}
	free(conf);
}

/*
 * What only the whole policy shows: the words are those of rg_policy_derive(),
 * the line is ours.
 */
static const struct bad whole_cases[] = {
	{ "", "f.conf: the policy holds nothing" },
	{ "[Match]\nRDMA=yes\n", "f.conf: the policy holds nothing" },
	{ "\n[Class a]\nDSCP=26\n", "f.conf:2: class a has no priority" },
	{ "\n[Class a]\nPriority=3\n", "f.conf:2: class a has no DSCP" },
	{ A_CLASS "Share=50\nStrict=yes\n",
	  "f.conf:5: class a is strict and has a share" },
	{ "[Class a]\nDSCP=26\nLossless=yes\nPriority=0\n",
	  "f.conf:4: priority 0 takes all other traffic" },
	{ A_CLASS "[Class b]\nDSCP=46\nPriority=3\n",
	  "f.conf:6: priority 3 is class a's already" },
	{ A_CLASS "Lossless=yes\n[PFC]\nPriorities=4\n",
	  "f.conf:6: PFC on priority 3 is to be off" },
	{ A_CLASS "[PFC]\nPriorities=3\n",
	  "f.conf:5: PFC on priority 3 is to be on" },
	{ A_CLASS "CableLength=5m\n",
	  "f.conf:4: class a is not lossless and needs no cable length" },
	{ A_CLASS "Lossless=yes\nCableLength=5m\n[PFC]\nCableLength=6m\n",
	  "f.conf:7: a cable of 6 m, the classes say 5 m" },
	{ A_CLASS "CNP=yes\n[CNP]\nInterval=1\nDSCP=27\n",
	  "f.conf:7: CNPs with DSCP 27, which is not of class a" },
	{ A_CLASS "CNP=yes\n[CNP]\nPriority=4\n",
	  "f.conf:6: CNPs on priority 4, class a says 3" },
	{ A_CLASS "CNP=yes\n[Class b]\nDSCP=1\nPriority=1\nCNP=yes\n",
	  "f.conf:8: CNPs are of class a already" },
	{ A_CLASS "[PFC]\nCableLength=6m\n",
	  "f.conf:5: a cable length without a priority that has PFC" },
	{ A_CLASS "Lossless=yes\n[PFC]\nPriorities=none\n",
	  "f.conf:6: a lossless class with neither PFC nor global pause" },
	{ A_CLASS "Lossless=yes\n[Pause]\nRx=no\nTx=yes\n",
	  "f.conf:7: global pause and PFC exclude each other" },
	{ A_CLASS "[DSCP]\nTrust=pcp\n",
	  "f.conf:5: trust pcp, but a class needs trust dscp" },
	{ A_CLASS "[DSCP]\nMap=1:1\nMap=26:4\n",
	  "f.conf:5: DSCP 26 to priority 4, class a says priority 3" },
	{ A_CLASS "[ETS]\nTC=0:ets:100\n",
	  "f.conf:4: priority to TC and TC settings go together" },
	{ A_CLASS "Share=60\n[Class b]\nDSCP=46\nPriority=4\nShare=50\n",
	  "f.conf:8: the shares make 110%" },
	{ A_CLASS "ECN=yes\n[ECN]\nNP=3\nRP=none\n",
	  "f.conf:7: ECN RP on priority 3 is off, class a says yes" },
	{ A_CLASS "[Connection]\nClass=b\n",
	  "f.conf:5: there is no class b in this policy" },
};

static void contradictions_lead_to_their_line(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf *conf = malloc(sizeof(*conf));
	size_t i;

	(void)state;
	assert_non_null(conf);
	for (i = 0; i < sizeof(whole_cases) / sizeof(whole_cases[0]); i++) {
		assert_int_equal(conf_parse(conf, "f.conf", "f",
					    whole_cases[i].text,
					    strlen(whole_cases[i].text),
					    error), -1);
		error[strlen(whole_cases[i].error)] = '\0';
		assert_string_equal(error, whole_cases[i].error);
	}
	free(conf);
}

static struct conf *parse(const char *text)
{
	struct conf *conf = malloc(sizeof(*conf));
	char error[CONF_ERROR_MAX];

	assert_non_null(conf);
	if (conf_parse(conf, "f.conf", "f", text, strlen(text), error))
		fail_msg("%s", error);
	return conf;
}

static void a_file_is_read_as_written(void **state)
{
	struct conf *conf = parse("\xef\xbb\xbf# comment\n; another\n"
		"[Match]\r\nDriver=mlx5_core bnxt_en\r\nName = ens* \r\n"
		"  Name=roce0\nRDMA=off\nPCI=0000:3b:00.? *\n"
		"RDMADevice=mlx5_*\nSpeed= <=1T >=2500M\n\n"
		"[Class storage] # the fast one\n\tDSCP=26\t24\nPriority=3\n"
		"Lossless=TRUE\nECN=1\nShare=50%\n"
		"[Class cnp]\nDSCP=48\nPriority=6\nStrict=yes\nCNP=on ; too\n"
		"[Policy]\nMode=Observe\nDisruptive=LinkDown\nPriority=1000\nRollout=10%\nSerial=2026-11.3\n"
		"[Connection]\nClass=storage\nRoCEMode=2");
	const struct rg_policy_spec *s = &conf->spec;

	(void)state;
	assert_string_equal(s->name, "f");
	assert_true(s->observe);
	assert_int_equal(s->disruptive, ROCEGUARD_DISRUPTIVE_LINKDOWN);
	assert_true(conf->says_which);
	assert_int_equal(s->match.n_driver, 2);
	assert_string_equal(s->match.driver[1], "bnxt_en");
	assert_int_equal(s->match.n_ifname, 2);
	assert_string_equal(s->match.ifname[0], "ens*");
	assert_string_equal(s->match.ifname[1], "roce0");
	assert_false(s->match.rdma);
	assert_int_equal(s->match.n_pci, 2);
	assert_string_equal(s->match.pci[0], "0000:3b:00.?");
	assert_int_equal(s->match.n_rdma_device, 1);
	assert_string_equal(s->match.rdma_device[0], "mlx5_*");
	assert_int_equal(s->match.speed_from, 2500);
	assert_int_equal(s->match.speed_to, 1000000);
	assert_int_equal(s->priority, 1000);
	assert_int_equal(s->rollout, 10);
	assert_false(rg_policy_rolled_out(s));
	assert_string_equal(s->serial, "2026-11.3");
	assert_int_equal(s->n_classes, 2);
	assert_true(s->class[0].dscp == (BIT_ULL(26) | BIT_ULL(24)));
	assert_int_equal(s->class[0].priority, 3);
	assert_true(s->class[0].lossless);
	assert_int_equal(s->class[0].ecn, RG_YES);
	assert_int_equal(s->class[0].share, 50);
	assert_int_equal(s->class[1].ecn, RG_NOT_SAID);
	assert_true(s->class[1].strict && s->class[1].cnp);
	assert_string_equal(s->connection_class, "storage");
	assert_int_equal(s->roce_mode, 2);
	free(conf);
}

static void match_without_names_does_not_say_which(void **state)
{
	struct conf *conf = parse("[Match]\nRDMA=yes\n" A_CLASS);

	(void)state;
	assert_false(conf->says_which);
	assert_true(conf->spec.match.rdma);
	free(conf);
}

static void names_of_policies_are_checked(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf *conf = malloc(sizeof(*conf));

	(void)state;
	assert_non_null(conf);
	assert_int_equal(conf_parse(conf, "a b.conf", "a b", A_CLASS,
				    strlen(A_CLASS), error), -1);
	assert_string_equal(error, "a b.conf: \"a b\" is no name of a policy; rename the file with letters, digits, '.', '_' and '-', at most 63");
	free(conf);
}

static void a_nul_byte_is_no_text(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf *conf = malloc(sizeof(*conf));

	(void)state;
	assert_non_null(conf);
	assert_int_equal(conf_parse(conf, "f.conf", "f", "[Match]\n\0\n", 10,
				    error), -1);
	assert_string_equal(error, "f.conf:2: byte 1 is 0x00, which is no text; is this a policy file?");
	free(conf);
}

/* Files that use everything there is. */
static const char *const good_cases[] = {
	A_CLASS,
	"[Match]\nRDMA=no\nDriver=a* b?\nName=c d e\n" A_CLASS
		"Lossless=yes\nECN=no\nShare=10\n[Policy]\nMode=observe\nDisruptive=now\n",
	"[Match]\nPCI=0000:3b:00.0 0000:5e:*\nRDMADevice=mlx5_0 rocep*\nSpeed=100G\n"
		A_CLASS "[Policy]\nPriority=7\nRollout=0%\nSerial=abc123\n",
	"[Match]\nSpeed=>=25G\n" A_CLASS, "[Match]\nSpeed=<=2500M\n" A_CLASS,
	"[Match]\nSpeed=>=1M <=10T\n" A_CLASS,
	"[Class a]\nPriority=5\nStrict=yes\nCNP=yes\n"
		"DSCP=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21\n"
		"DSCP=22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39\n"
		"DSCP=40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57\n"
		"DSCP=58 59 60 61 62 63 0\n",
	"[PFC]\nPriorities=3 4\n[ECN]\nNP=3 4\nRP=none\n",
	"[PFC]\nPriorities=none\n[Pause]\nRx=yes\nTx=yes\n",
	"[Pause]\nRx=no\n",
	"[DSCP]\nTrust=pcp\n",
	"[DSCP]\nTrust=dscp\nMap=0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:1 9:1\n"
		"Map=10:1 11:1 12:1 26:3 63:7\n",
	"[ETS]\nPriorityTC=0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0\n"
		"TC=0:ets:50 1:ets:50 2:strict\n",
	A_CLASS "Lossless=yes\n[Connection]\nClass=a\n[PFC]\nPriorities=3 5\n",
	A_CLASS "[Connection]\nRoCEMode=1\n",
	"[DCBX]\nMode=host\n",
	A_CLASS "[DCBX]\nMode=follow\n",
	"[MaxRate]\nTC=0:none 1:10Gbit 2:2500Mbit\nTC=3:64kbit 4:4294967295kbit\n",
	"[Buffer]\nSize=0:0 1:131072 7:4294967295\nPriority=3:1 4:7\n",
	"[Buffer]\nPriority=3:1\n",
	A_CLASS "Lossless=yes\nCableLength=999m\n[PFC]\nCableLength=999m\n",
	"[PFC]\nPriorities=3\nCableLength=1m\n",
	"[DCQCN]\nRateAI=0\nGD=11\nRTTDSCP=63\n[CNP]\nInterval=4294967295\n",
	A_CLASS "CNP=yes\n[CNP]\nDSCP=26\nPriority=3\n",
	"[Check]\nMTU=352\n",
	"[Check]\nMTU=65535\n",
	"[StormPrevention]\nTimeout=off\n",
	"[StormPrevention]\nTimeout=auto\n",
	"[StormPrevention]\nTimeout=80ms\n",
	"[StormPrevention]\nTimeout=8s\n",
	"[RDMACM]\nToS=106\nMode=2\n",
	"[RDMACM]\nToS=0\n",
	A_CLASS "Lossless=yes\n[RDMACM]\nMode=1\n[VLAN]\nEgress=yes\n",
	A_CLASS "[VLAN]\nEgress=no\n",
	A_CLASS "[Watchdog]\nDetectionTime=100ms\nRestorationTime=3600s\nAction=alert\nForce=no\n",
	A_CLASS "Lossless=yes\n[Watchdog]\nDetectionTime=1500ms\nAction=pfc-off\nForce=yes\n",
};

static char *written(const struct rg_policy_spec *spec)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	conf_write(f, spec);
	fclose(f);
	assert_non_null(text);
	return text;
}

static void what_is_written_loads_back(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good_cases) / sizeof(good_cases[0]); i++) {
		struct conf *first = parse(good_cases[i]);
		char *text = written(&first->spec);
		struct conf *second = parse(text);

		assert_memory_equal(&first->spec, &second->spec,
				    sizeof(first->spec));
		free(first);
		free(second);
		free(text);
	}
}

/* Over the wire and back: nothing is lost that a file can say. */
static void what_is_sent_is_what_was_read(void **state)
{
	struct model_policy *policy = malloc(sizeof(*policy));
	bool deleted;
	size_t i;

	(void)state;
	assert_non_null(policy);
	for (i = 0; i < sizeof(good_cases) / sizeof(good_cases[0]); i++) {
		struct conf *conf = parse(good_cases[i]);
		struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);

		assert_non_null(msg);
		assert_non_null(nlmsg_put(msg, 0, 0, 0x20, 0, 0));
		assert_int_equal(model_encode_policy(msg, &conf->spec), 0);
		assert_int_equal(model_decode_policy(
				nlmsg_attrdata(nlmsg_hdr(msg), 0),
				nlmsg_attrlen(nlmsg_hdr(msg), 0), policy,
				&deleted), 0);
		assert_false(deleted);
		assert_memory_equal(&policy->spec, &conf->spec,
				    sizeof(conf->spec));
		nlmsg_free(msg);
		free(conf);
	}
	free(policy);
}

static void a_largest_policy_fits_a_message(void **state)
{
	struct rg_policy_spec *spec = malloc(sizeof(*spec));
	struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);
	unsigned int i;

	(void)state;
	assert_non_null(spec);
	assert_non_null(msg);
	rg_policy_init(spec);
	memset(spec->name, 'n', ROCEGUARD_NAME_MAX);
	for (i = 0; i < ROCEGUARD_GLOBS_MAX; i++) {
		memset(spec->match.driver[i], 'a' + (int)i, ROCEGUARD_GLOB_MAX);
		memset(spec->match.ifname[i], 'a' + (int)i, ROCEGUARD_GLOB_MAX);
	}
	spec->match.n_driver = spec->match.n_ifname = ROCEGUARD_GLOBS_MAX;
	spec->n_classes = ROCEGUARD_CLASSES_MAX;
	for (i = 0; i < ROCEGUARD_CLASSES_MAX; i++) {
		rg_class_init(&spec->class[i]);
		memset(spec->class[i].name, 'a' + (int)i, ROCEGUARD_NAME_MAX);
		spec->class[i].dscp = 0xffULL << (8 * i);
		spec->class[i].priority = (u8)i;
		spec->class[i].ecn = RG_YES;
		spec->class[i].share = 10;
	}
	spec->expert.set = 0x1ff | BIT(RG_EXPERT_PARAMS);
	spec->expert.params = BIT(RG_PARAMS) - 1;
	memset(spec->expert.map, 1, sizeof(spec->expert.map));
	memset(spec->expert.prio_tc, 1, sizeof(spec->expert.prio_tc));
	memset(spec->expert.tsa, 1, sizeof(spec->expert.tsa));
	memset(spec->connection_class, 'a', ROCEGUARD_NAME_MAX);
	spec->roce_mode = 2;
	assert_non_null(nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	assert_int_equal(model_encode_policy(msg, spec), 0);
	nlmsg_free(msg);
	free(spec);
}

/* Files and directories */

struct folder {
	char path[64];
};

static int make_folder(void **state)
{
	struct folder *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	strcpy(f->path, "/tmp/rg-test-conf-XXXXXX");
	*state = f;
	setenv("ROCEGUARD_PROFILES", TEST_PROFILES, 1);
	setenv("ROCEGUARD_POLICIES", f->path, 1);
	return mkdtemp(f->path) ? 0 : -1;
}

static const char *const file_names[] = {
	"a.conf", "b.conf", "c.conf", "fifo.conf", "x.txt", ".h.conf",
};

static int remove_folder(void **state)
{
	struct folder *f = *state;
	char path[256];
	size_t i;
	int err;

	for (i = 0; i < sizeof(file_names) / sizeof(file_names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", f->path, file_names[i]);
		unlink(path);
	}
	err = rmdir(f->path);
	free(f);
	return err;
}

static void put(const struct folder *f, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", f->path, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* The error of conf_load() without the folder, NULL if it loads. */
static const char *load_error(const struct folder *f, const char *name,
			      struct conf_list *list)
{
	static char error[CONF_ERROR_MAX];
	char path[256];
	const char *s;

	snprintf(path, sizeof(path), "%s%s%s", f->path, *name ? "/" : "",
		 name);
	if (!conf_load(list, path, error))
		return NULL;
	s = strncmp(error, f->path, strlen(f->path)) ? error :
	    error + strlen(f->path);
	return *s == '/' ? s + 1 : s;
}

static void a_folder_is_read_in_order_or_not_at_all(void **state)
{
	const struct folder *f = *state;
	struct conf_list list;
	const char *error;

	error = load_error(f, "", &list);
	assert_string_equal(error, ": no *.conf in it; name a policy file or a profile");
	conf_list_free(&list);

	put(f, "b.conf", A_CLASS);
	put(f, "a.conf", A_CLASS);
	put(f, "x.txt", "nonsense");
	put(f, ".h.conf", "nonsense");
	error = load_error(f, "", &list);
	assert_null(error);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.conf[0].spec.name, "a");
	assert_string_equal(list.conf[1].spec.name, "b");
	conf_list_free(&list);

	put(f, "c.conf", A_CLASS "Priority=8\n");
	error = load_error(f, "", &list);
	assert_string_equal(error, "c.conf:4: Priority= stands twice, first on line 3; remove one");
	conf_list_free(&list);
}

static void files_that_are_none_are_refused(void **state)
{
	const struct folder *f = *state;
	struct conf_list list;
	char path[256], *large;

	assert_string_equal(load_error(f, "c.conf", &list),
			    "c.conf: No such file or directory");
	conf_list_free(&list);

	/* Must not wait for a writer. */
	snprintf(path, sizeof(path), "%s/fifo.conf", f->path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_string_equal(load_error(f, "fifo.conf", &list),
			    "fifo.conf: not a regular file; name a policy file");
	conf_list_free(&list);

	large = malloc(CONF_SIZE_MAX + 2);
	assert_non_null(large);
	memset(large, '\n', CONF_SIZE_MAX + 1);
	large[CONF_SIZE_MAX + 1] = '\0';
	put(f, "a.conf", large);
	assert_string_equal(load_error(f, "a.conf", &list),
			    "a.conf: 65537 bytes; policy files are at most 64 KiB");
	conf_list_free(&list);
	memcpy(large, A_CLASS, strlen(A_CLASS));
	large[CONF_SIZE_MAX] = '\0';
	put(f, "a.conf", large);
	assert_null(load_error(f, "a.conf", &list));
	conf_list_free(&list);
	free(large);
}

static void profiles_are_found_by_name(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf_list list;
	const struct rg_class *class;

	(void)state;
	assert_int_equal(conf_load(&list, "storage", error), 0);
	assert_int_equal(list.n, 1);
	assert_false(list.conf->says_which);
	class = rg_policy_class(&list.conf->spec, "storage");
	assert_non_null(class);
	assert_true(class->dscp == BIT_ULL(26) && class->priority == 3);
	assert_true(class->lossless && class->ecn == RG_YES);
	assert_int_equal(class->share, 50);
	class = rg_policy_class(&list.conf->spec, "cnp");
	assert_non_null(class);
	assert_true(class->dscp == BIT_ULL(48) && class->priority == 6);
	assert_true(class->strict && class->cnp);
	conf_list_free(&list);

	assert_int_equal(conf_load(&list, "stroage", error), -1);
	assert_string_equal(error, "unknown profile \"stroage\"; known are ecn-only, pfc-only, storage-gpu, storage, target");
	conf_list_free(&list);
	assert_int_equal(conf_load(&list, "", error), -1);
	conf_list_free(&list);
}

static void storage_holds_every_knob_of_classes(void **state)
{
	char error[CONF_ERROR_MAX];
	struct rg_problem problem;
	struct conf_list list;
	struct rg_want want;

	(void)state;
	assert_int_equal(conf_load(&list, "storage", error), 0);
	assert_int_equal(rg_policy_derive(&list.conf->spec, &want, &problem),
			 0);
	/* dscp, ets, pause, pfc, ecn and cnp: the others are named by no class */
	assert_int_equal(want.knobs, (BIT(ROCEGUARD_KNOB_ECN + 1) - 1) |
				     BIT(ROCEGUARD_KNOB_CNP));
	assert_int_equal(want.pfc, BIT(3));
	assert_int_equal(want.trust, ROCEGUARD_TRUST_DSCP);
	assert_false(want.pause_rx || want.pause_tx);
	conf_list_free(&list);
}

/* What tells the packaged profiles apart. */
static const struct {
	const char *name;
	u8 pfc;			/* priorities */
	u8 ecn;
	u8 n_tcs;
	u8 disruptive;
	const char *connection;
} profiles[] = {
	{ "storage", BIT(3), BIT(3), 3, ROCEGUARD_DISRUPTIVE_BUDGET, "storage" },
	{ "storage-gpu", BIT(3) | BIT(4), BIT(3) | BIT(4), 4,
	  ROCEGUARD_DISRUPTIVE_BUDGET, "storage" },
	{ "target", BIT(3), BIT(3), 3, ROCEGUARD_DISRUPTIVE_LINKDOWN, "" },
	{ "ecn-only", 0, BIT(3), 3, ROCEGUARD_DISRUPTIVE_BUDGET, "storage" },
	{ "pfc-only", BIT(3), 0, 2, ROCEGUARD_DISRUPTIVE_BUDGET, "storage" },
};

static void profiles_hold_what_their_names_say(void **state)
{
	const struct rg_policy_spec *spec;
	char error[CONF_ERROR_MAX];
	struct rg_problem problem;
	struct conf_list list;
	struct rg_want want;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(profiles); i++) {
		assert_int_equal(conf_load(&list, profiles[i].name, error), 0);
		assert_false(list.conf->says_which);
		spec = &list.conf->spec;
		assert_int_equal(rg_policy_derive(spec, &want, &problem), 0);
		assert_int_equal(want.pfc, profiles[i].pfc);
		assert_int_equal(want.ecn_on[0], profiles[i].ecn);
		assert_int_equal(want.ecn_on[1], profiles[i].ecn);
		assert_int_equal(want.n_tcs, profiles[i].n_tcs);
		assert_true(want.knobs & BIT(ROCEGUARD_KNOB_PFC));
		assert_true(want.knobs & BIT(ROCEGUARD_KNOB_PAUSE));
		assert_int_equal(want.map[26], 3);
		assert_int_equal(spec->disruptive, profiles[i].disruptive);
		assert_string_equal(spec->connection_class,
				    profiles[i].connection);
		conf_list_free(&list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_files_are_refused_in_words),
		cmocka_unit_test(contradictions_lead_to_their_line),
		cmocka_unit_test(a_file_is_read_as_written),
		cmocka_unit_test(match_without_names_does_not_say_which),
		cmocka_unit_test(names_of_policies_are_checked),
		cmocka_unit_test(a_nul_byte_is_no_text),
		cmocka_unit_test(what_is_written_loads_back),
		cmocka_unit_test(what_is_sent_is_what_was_read),
		cmocka_unit_test(a_largest_policy_fits_a_message),
		cmocka_unit_test_setup_teardown(
			a_folder_is_read_in_order_or_not_at_all, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(
			files_that_are_none_are_refused, make_folder,
			remove_folder),
		cmocka_unit_test_setup_teardown(profiles_are_found_by_name,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(profiles_hold_what_their_names_say,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(storage_holds_every_knob_of_classes,
						make_folder, remove_folder),
	};

	return cmocka_run_group_tests_name("conf", tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every operation that a driver is asked for goes through labnic_call(), so
 * that any of them can be made to fail, to lie, to be slow. An operation is one
 * row of the table in call.c.
 */
#ifndef LABNIC_CALL_H
#define LABNIC_CALL_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

struct labnic;

enum labnic_op {
	LABNIC_GETETS,
	LABNIC_SETETS,
	LABNIC_GETMAXRATE,
	LABNIC_SETMAXRATE,
	LABNIC_GETPFC,
	LABNIC_SETPFC,
	LABNIC_SETAPP,
	LABNIC_DELAPP,
	LABNIC_GETDCBX,
	LABNIC_SETDCBX,
	LABNIC_GETBUFFER,
	LABNIC_SETBUFFER,
	LABNIC_GETAPPTRUST,
	LABNIC_SETAPPTRUST,
	LABNIC_BEGIN,
	LABNIC_GETPAUSE,
	LABNIC_SETPAUSE,
	LABNIC_GETSTORM,
	LABNIC_SETSTORM,
	LABNIC_GETSTATS,
	LABNIC_READ_HW,
	LABNIC_READ_PRIO,
	LABNIC_GETECN,
	LABNIC_SETECN,
	LABNIC_GETPARAM,
	LABNIC_SETPARAM,
	LABNIC_OPS
};

/**
 * struct labnic_op_desc - one operation
 * @name: in the file faults
 * @call: does it; returns 0, a negative errno, or what its personality makes of 0
 * @field: offset in its argument of a byte that says what is set
 * @flip: what is flipped in it to alter the setting; 0: can't be altered
 * @write: changes something
 * @atomic: may be called under a spinlock
 */
struct labnic_op_desc {
	const char *name;
	int (*call)(struct labnic *nic, void *arg);
	size_t field;
	u8 flip;
	bool write;
	bool atomic;
};

extern const struct labnic_op_desc labnic_ops[LABNIC_OPS];

/* What comes of a call. */
enum labnic_fault_kind {
	LABNIC_FAULT_NONE,
	LABNIC_FAULT_FAIL,	/* an errno instead */
	LABNIC_FAULT_IGNORE,	/* success, and nothing done */
	LABNIC_FAULT_ALTER,	/* another setting written, or read back */
	LABNIC_FAULT_DELAY,
	LABNIC_FAULT_HANG,	/* until released */
	LABNIC_FAULT_KINDS
};

/**
 * struct labnic_fault - what is to come of calls
 * @kind: enum labnic_fault_kind
 * @arg: errno, or milliseconds
 * @ops: bits of enum labnic_op
 * @nth: of those calls; 0: all
 * @seen: such calls so far
 * @hits: calls it came of
 */
struct labnic_fault {
	u8 kind;
	u32 arg;
	u32 ops;
	u32 nth;
	u32 seen;
	u32 hits;
};

#define LABNIC_FAULTS	8

/**
 * struct labnic_faults - the faults of a NIC
 * @lock: leaf, BH, covers the rest
 * @calls: by enum labnic_op, since the faults were last cleared
 * @n: of @fault
 * @fault: as they were asked for; the first that fits a call rules
 * @released: calls that hung before the release of this number go on
 * @wait: where they hang
 */
struct labnic_faults {
	spinlock_t lock;
	u32 calls[LABNIC_OPS];
	unsigned int n;
	struct labnic_fault fault[LABNIC_FAULTS];
	u32 released;
	wait_queue_head_t wait;
};

/* call.c */
int labnic_call(struct labnic *nic, enum labnic_op op, void *arg);

/* fault.c */
extern const struct file_operations labnic_faults_fops;
void labnic_faults_init(struct labnic *nic);
struct labnic_fault labnic_fault_of(struct labnic *nic, enum labnic_op op);
void labnic_fault_wait(struct labnic *nic, const struct labnic_fault *fault);

/* What the operations without a structure of the kernel's own take. */
struct labnic_dcbx_arg {
	u8 mode;
};

struct labnic_apptrust_arg {
	u8 selectors[2];
	int n;
};

struct labnic_storm_arg {
	u16 ms;
};

struct labnic_ecn_arg {
	u8 role;
	u8 prio;
	bool on;
};

struct labnic_param_arg {
	u32 cc;
	u32 value;
};

/* Their implementations: dcbnl.c, ethtool.c, provided.c */
int labnic_do_getets(struct labnic *nic, void *arg);
int labnic_do_setets(struct labnic *nic, void *arg);
int labnic_do_getmaxrate(struct labnic *nic, void *arg);
int labnic_do_setmaxrate(struct labnic *nic, void *arg);
int labnic_do_getpfc(struct labnic *nic, void *arg);
int labnic_do_setpfc(struct labnic *nic, void *arg);
int labnic_do_setapp(struct labnic *nic, void *arg);
int labnic_do_delapp(struct labnic *nic, void *arg);
int labnic_do_getdcbx(struct labnic *nic, void *arg);
int labnic_do_setdcbx(struct labnic *nic, void *arg);
int labnic_do_getbuffer(struct labnic *nic, void *arg);
int labnic_do_setbuffer(struct labnic *nic, void *arg);
int labnic_do_getapptrust(struct labnic *nic, void *arg);
int labnic_do_setapptrust(struct labnic *nic, void *arg);
int labnic_do_begin(struct labnic *nic, void *arg);
int labnic_do_getpause(struct labnic *nic, void *arg);
int labnic_do_setpause(struct labnic *nic, void *arg);
int labnic_do_getstorm(struct labnic *nic, void *arg);
int labnic_do_setstorm(struct labnic *nic, void *arg);
int labnic_do_getstats(struct labnic *nic, void *arg);
int labnic_do_read_hw(struct labnic *nic, void *arg);
int labnic_do_read_prio(struct labnic *nic, void *arg);
int labnic_do_getecn(struct labnic *nic, void *arg);
int labnic_do_setecn(struct labnic *nic, void *arg);
int labnic_do_getparam(struct labnic *nic, void *arg);
int labnic_do_setparam(struct labnic *nic, void *arg);

#endif /* LABNIC_CALL_H */

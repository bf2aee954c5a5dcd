/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delegated knobs: what only files and sockets of user space reach. A backend is
 * one file and one row of the table in run.c.
 */
#ifndef RG_DELEGATE_H
#define RG_DELEGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "model.h"
#include "text.h"

/* Roles of ECN, as in struct rg_want. */
enum { DELEGATE_NP, DELEGATE_RP, DELEGATE_ROLES };

struct delegate_backend;

/**
 * struct delegate_task - one knob of one port to be looked at
 * @root: in front of every path; "" but for tests
 * @port: the port, as the kernel last told
 * @want: what its policy holds
 * @knob: enum roceguard_knob
 * @hold: it is to be written if it differs
 * @may_write: asked right before a write; NULL: yes
 * @arg: of @may_write
 * @tos: ToS byte of rdma_cm, as read
 * @mode: RoCE mode of rdma_cm, as read
 * @ecn: mask of priorities that are on, by role, as read
 * @same: what was read is as wanted
 * @have: what was read, in words
 * @reason: why it is not right and what to do, if the backend knows
 */
struct delegate_task {
	const char *root;
	const struct model_port *port;
	const struct rg_want *want;
	uint32_t knob;
	bool hold;
	bool (*may_write)(void *arg);
	void *arg;
	uint8_t tos;
	uint8_t mode;
	uint8_t ecn[DELEGATE_ROLES];
	bool same;
	struct rg_text have;
	char reason[ROCEGUARD_REPORT_REASON_MAX + 1];
};

/**
 * struct delegate_backend - one way to reach a knob
 * @knob: enum roceguard_knob
 * @is_there: does this host have it for the port? NULL: yes
 * @read: fills in the task's @same and @have
 * @write: makes it so; what it writes is read again after it. NULL: @read always
 *	fails
 *
 * @read and @write return 0 or a negative errno and may set the reason.
 */
struct delegate_backend {
	uint32_t knob;
	bool (*is_there)(const struct delegate_task *task);
	int (*read)(struct delegate_task *task);
	int (*write)(struct delegate_task *task);
};

extern const struct delegate_backend delegate_rdma_cm;
extern const struct delegate_backend delegate_vlan;
extern const struct delegate_backend delegate_ofed_ecn;
extern const struct delegate_backend delegate_bnxt_configfs_ecn;
extern const struct delegate_backend delegate_bnxt_debugfs_ecn;
extern const struct delegate_backend delegate_mlx5_ecn;

/**
 * delegate_run() - read, compare, write if it differs, read back
 * @task: with what to look at; its readings and words are filled in
 * @report: filled in but for the port and its generation
 *
 * Return: false if @may_write said no: then there is nothing to report.
 */
bool delegate_run(struct delegate_task *task, struct model_report *report);

/* The egress map of a VLAN has an entry for each of these. */
#define VLAN_SKPRIOS	16

/**
 * vlan_differs() - what is wrong with an egress map
 * @want: what the policy holds
 * @egress: priority of each of VLAN_SKPRIOS socket priorities
 * @right: set to what it should be
 *
 * Return: mask of the socket priorities that differ.
 */
unsigned int vlan_differs(const struct rg_want *want, const uint8_t *egress,
			  uint8_t *right);

/* For the backends. */

void delegate_because(struct delegate_task *task, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * delegate_may_write() - ask whether a write is still wanted
 * @task: the task
 */
bool delegate_may_write(const struct delegate_task *task);

/* What is longer than this is no file of a setting. */
#define DELEGATE_FILE_MAX	256

/**
 * file_read() - a small file, without its newline
 * @path: which
 * @buf: DELEGATE_FILE_MAX bytes
 *
 * Return: 0 or a negative errno.
 */
int file_read(const char *path, char *buf);

/**
 * file_write() - write a value in one go
 * @path: which; it is there
 * @value: what
 *
 * Return: 0 or a negative errno.
 */
int file_write(const char *path, const char *value);

/**
 * file_number() - a file that has one number
 * @path: which
 * @most: greatest that it may be
 * @value: set
 *
 * Return: 0, -EBADMSG if it has something else, or another negative errno.
 */
int file_number(const char *path, unsigned long most, unsigned long *value);

bool file_is_there(const char *path);

/**
 * struct file_folder - a folder of configfs, which is made to be looked into
 * @path: of it
 * @made: by us, and to be removed again
 */
struct file_folder {
	char path[512];
	bool made;
};

/* 0 or a negative errno; close it after 0. */
int folder_open(struct file_folder *folder, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void folder_close(struct file_folder *folder);

/**
 * rdma_users() - who has connections by rdma_cm on a port
 * @device: RDMA device
 * @port: its port
 * @buf: "nvme_rdma (2), rpcrdma (1)", or "nobody"
 * @size: of @buf
 *
 * Return: 0 or a negative errno.
 */
int rdma_users(const char *device, uint32_t port, char *buf, size_t size);

#endif /* RG_DELEGATE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Racers: each does one thing over and over, in a process of its own. An action
 * returns 0 when it was done and a negative errno when it was refused, which
 * where others race is nothing wrong by itself.
 */
#ifndef RACER_H
#define RACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>
#include <netlink/netlink.h>

#include "base.h"

#define ARGS_MAX	4

/**
 * struct racer - one process
 * @arg: as given, "" where not
 * @turns: how many there were, this one not counted
 * @route: a socket of rtnetlink, in the netns of the racer
 * @state: of the action
 */
struct racer {
	const char *arg[ARGS_MAX];
	unsigned long turns;
	struct nl_sock *route;
	void *state;
};

/**
 * struct action - what a racer can do
 * @name: on the command line
 * @usage: its arguments, for people
 * @begin: once; may be NULL
 * @turn: over and over
 * @end: once, to leave things as they were; may be NULL
 * @cheap: leaves the processors to others after each turn
 */
struct action {
	const char *name;
	const char *usage;
	int (*begin)(struct racer *racer);
	int (*turn)(struct racer *racer);
	void (*end)(struct racer *racer);
	bool cheap;
};

extern const struct action link_actions[], rdma_actions[], family_actions[],
	file_actions[];

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The error of what was done now, or else one from before. */
static inline int first(int err, int before)
{
	return err ? err : before;
}

/* A number from an argument, or @otherwise where it is empty. */
unsigned long number(const char *arg, unsigned long otherwise);
void pause_us(unsigned long us);

/* 0 or a negative errno of finit_module(2) */
int module_load(const char *path);

/* Sockets that die() where there is none to be had. */
struct nl_sock *nl_begin(int protocol);

/* link.c, for all that needs devices. Names are in the netns of the socket. */
int link_add(struct nl_sock *sk, const char *name, const char *kind,
	     const char *lower);
int link_delete(struct nl_sock *sk, const char *name);
int link_up(struct nl_sock *sk, const char *name, bool up);
int link_rename(struct nl_sock *sk, const char *from, const char *to);

/* lists.c */
struct rgnl;
int list_ports(struct rgnl *nl);
int list_policies(struct rgnl *nl);
int list_history(struct rgnl *nl);

/* rdma.c */
int rxe_add(struct nl_sock *sk, const char *name, const char *netdev);
int rxe_delete(struct nl_sock *sk, const char *name);

#endif /* RACER_H */

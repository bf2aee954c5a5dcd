/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for ports to catch up with what they were told. */
#ifndef RG_WAIT_H
#define RG_WAIT_H

#include "model.h"

/* How long a command waits unless told otherwise, and at most. */
#define WAIT_SECONDS		10
#define WAIT_SECONDS_MAX	3600

/**
 * typedef wait_fn - is this port still to be waited for
 * @port: as it is now
 * @arg: of the caller
 */
typedef bool (*wait_fn)(const struct model_port *port, void *arg);

/**
 * wait_ports() - read the ports until none is to be waited for
 * @nl: the socket
 * @ports: the last reading
 * @busy: says which are to be waited for
 * @arg: for @busy
 * @seconds: give up after this long; @ports then has those that are not done
 *
 * Shows on a terminal what it waits for once it takes more than a second.
 *
 * Return: 0 or a negative errno of the kernel.
 */
int wait_ports(struct rgnl *nl, struct model_ports *ports, wait_fn busy,
	       void *arg, long seconds);

/* Has @have reached @wanted? Both count up and wrap. */
bool wait_reached(uint32_t have, uint32_t wanted);

#endif /* RG_WAIT_H */

// SPDX-License-Identifier: GPL-2.0
/*
 * The ToS byte: DSCP in the upper six bits, ECN in the lower two. rdma_rxe and
 * some NICs put it on the wire as it is, so ECT(0) has to be in it where
 * switches are to mark, and must not be where nobody slows down on marks.
 */

#include <stdio.h>
#include "cmd/cmd.h"
#include "connect.h"

#define ECN_MASK	0x03
#define ECN_ECT1	0x01
#define ECN_ECT0	0x02
#define ECN_CE		0x03
#define TOS_SHIFT	2

/**
 * conn_tos_check() - is this a byte to send with?
 * @tos: 0..255
 * @error: why not
 *
 * CE on every frame would say "congested" of an idle network, for ever.
 *
 * Return: 0 or a negative errno.
 */
int conn_tos_check(unsigned long tos, struct conn_error *error)
{
	unsigned long base = tos & ~(unsigned long)ECN_MASK;

	if ((tos & ECN_MASK) != ECN_CE)
		return 0;
	return conn_fail(error, RG_EXIT_USAGE,
			 "ToS %lu has both ECN bits set (CE): every frame would say it met congestion; use %lu, or %lu for ECT(0)",
			 tos, base, base | ECN_ECT0);
}

static int first_dscp(const struct rg_class *class)
{
	return class && class->dscp ? __builtin_ctzll(class->dscp) : -1;
}

/**
 * conn_tos_choose() - the byte of this connection
 * @tos: filled in
 * @class: the class that connections take; NULL if none is known
 * @rp_held: the reaction point of its priority is as the policy says
 * @user: --tos, -1 if not given
 */
void conn_tos_choose(struct conn_tos *tos, const struct rg_class *class,
		     bool rp_held, int user)
{
	int dscp = first_dscp(class);

	tos->by_policy = -1;
	tos->ect = CONN_ECT_UNKNOWN;
	if (dscp >= 0) {
		tos->ect = class->ecn != RG_YES ? CONN_ECT_NOT_ASKED :
			   rp_held ? CONN_ECT_ON : CONN_ECT_NOT_HELD;
		tos->by_policy = dscp << TOS_SHIFT;
		if (tos->ect == CONN_ECT_ON)
			tos->by_policy |= ECN_ECT0;
	}
	tos->from_user = user >= 0;
	tos->byte = tos->from_user ? user : tos->by_policy;
}

/**
 * conn_tos_words() - "106 = DSCP 26 + ECT(0)"
 * @byte: 0..255, or -1
 * @buf: for the words
 * @size: of @buf
 */
void conn_tos_words(int byte, char *buf, size_t size)
{
	static const char *const ecn[] = {
		[0] = "", [ECN_ECT1] = " + ECT(1)",
		[ECN_ECT0] = " + ECT(0)", [ECN_CE] = " + CE",
	};

	if (byte < 0)
		snprintf(buf, size, "not set");
	else
		snprintf(buf, size, "%d = DSCP %d%s", byte, byte >> TOS_SHIFT,
			 ecn[byte & ECN_MASK]);
}

/**
 * conn_tos_why() - why the policy's byte has no ECT(0)
 * @tos: the byte
 *
 * Return: words with what separates them in front; "" where there is nothing
 * to explain.
 */
const char *conn_tos_why(const struct conn_tos *tos)
{
	if (tos->from_user || tos->byte < 0)
		return "";
	if (tos->ect == CONN_ECT_NOT_HELD)
		return " without ECT(0): the reaction point is not held";
	if (tos->ect == CONN_ECT_NOT_ASKED)
		return " without ECT(0): the class does not ask for ECN";
	return "";
}

/**
 * conn_tos_ect0() - may switches mark frames with this byte?
 * @byte: 0..255, or -1
 */
bool conn_tos_ect0(int byte)
{
	return byte >= 0 && (byte & ECN_MASK) == ECN_ECT0;
}

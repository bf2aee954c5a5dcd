/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the targets: conf.c, decode.c, model.c. */
#ifndef RG_FUZZ_H
#define RG_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "model.h"
#include "must.h"
#include "nl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Attributes in a buffer of just their size, so that one byte more is seen. */
static inline struct nlattr *attrs_copy(const void *data, size_t size)
{
	struct nlattr *copy = malloc(size ? size : 1);

	must(copy);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

/* A policy as the helper sends it. */
static inline struct nl_msg *policy_sent(const struct rg_policy_spec *spec)
{
	struct nl_msg *msg = nlmsg_alloc_size(RGNL_MESSAGE_MAX);

	must(msg && nlmsg_put(msg, 0, 0, 0x20, 0, 0));
	must(!model_encode_policy(msg, spec));
	return msg;
}

#define sent_attrs(_msg)	nlmsg_attrdata(nlmsg_hdr(_msg), 0)
#define sent_len(_msg)		nlmsg_attrlen(nlmsg_hdr(_msg), 0)

/* A policy as a file. */
static inline char *policy_written(const struct rg_policy_spec *spec,
				   size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	must(f);
	conf_write(f, spec);
	must(!fclose(f) && text);
	return text;
}

#endif /* RG_FUZZ_H */

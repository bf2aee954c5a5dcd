// SPDX-License-Identifier: GPL-2.0
/*
 * Any attributes as a policy-set: refused with words, or what the kernel tells
 * of the policy is read by the helper, and sent back by it makes the same one.
 */
#include "fuzz.h"
#include "kernel.h"

static void comes_back(const struct kernel_policy *first)
{
	struct kernel_policy *second = malloc(sizeof(*second));
	struct model_policy *policy = malloc(sizeof(*policy));
	struct nlattr *attrs = attrs_copy(first->wire, first->len);
	struct nl_msg *msg;
	bool deleted;

	must(second && policy);
	must(!model_decode_policy(attrs, (int)first->len, policy, &deleted));
	must(!deleted);
	msg = policy_sent(&policy->spec);
	must(!kernel_take(sent_attrs(msg), (size_t)sent_len(msg), second));
	must(first->len == second->len);
	must(!memcmp(first->wire, second->wire, first->len));
	must(!memcmp(&first->want, &second->want, sizeof(first->want)));
	nlmsg_free(msg);
	free(attrs);
	free(policy);
	free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kernel_policy *policy = malloc(sizeof(*policy));

	must(policy);
	if (size <= RGNL_MESSAGE_MAX && !kernel_take(data, size, policy))
		comes_back(policy);
	free(policy);
	return 0;
}

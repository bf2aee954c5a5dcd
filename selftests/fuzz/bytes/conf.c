// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a policy file: refused in one line that begins with the file, or
 * what is written loads back to the same policy, and the kernel takes it and
 * tells the same.
 */
#include "fuzz.h"
#include "kernel.h"

static void refused_in_a_line(const char *error)
{
	size_t n = strlen(error);

	must(n && n < CONF_ERROR_MAX);
	must(!strncmp(error, "f.conf:", 7));
	must(!strchr(error, '\n'));
}

static void loads_back(const struct rg_policy_spec *spec)
{
	struct conf *again = malloc(sizeof(*again));
	char error[CONF_ERROR_MAX], *text;
	size_t len;

	must(again);
	text = policy_written(spec, &len);
	if (conf_parse(again, "f.conf", "f", text, len, error)) {
		fprintf(stderr, "%s\n%s", error, text);
		abort();
	}
	must(!memcmp(&again->spec, spec, sizeof(*spec)));
	free(text);
	free(again);
}

static void is_what_the_kernel_tells(const struct rg_policy_spec *spec)
{
	struct kernel_policy *taken = malloc(sizeof(*taken));
	struct model_policy *told = malloc(sizeof(*told));
	struct nl_msg *msg = policy_sent(spec);
	struct nlattr *attrs;
	bool deleted;

	must(taken && told);
	must(!kernel_take(sent_attrs(msg), (size_t)sent_len(msg), taken));
	attrs = attrs_copy(taken->wire, taken->len);
	must(!model_decode_policy(attrs, (int)taken->len, told, &deleted));
	must(!deleted && !memcmp(&told->spec, spec, sizeof(*spec)));
	free(attrs);
	nlmsg_free(msg);
	free(told);
	free(taken);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf *conf = malloc(sizeof(*conf));
	char *text = malloc(size ? size : 1);
	char error[CONF_ERROR_MAX];

	must(conf && text);
	if (size)
		memcpy(text, data, size);
	if (conf_parse(conf, "f.conf", "f", text, size, error)) {
		refused_in_a_line(error);
	} else {
		loads_back(&conf->spec);
		is_what_the_kernel_tells(&conf->spec);
	}
	free(text);
	free(conf);
	return 0;
}

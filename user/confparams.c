// SPDX-License-Identifier: GPL-2.0
/* Policy files: the parameters of DCQCN, a key for each row of their table. */
#include "confparse.h"
#include "params.h"

struct conf_key conf_dcqcn_key[RG_PARAMS + 1];
struct conf_key conf_cnp_key[RG_PARAMS + 1];

static int key_param(struct conf_parser *p, char *word)
{
	struct rg_expert *x = &p->conf->spec.expert;
	int i = p->key->attr - 1;
	long v;

	if (conf_number(p, p->key->name, word, rg_params[i].min,
			rg_params[i].max, &v))
		return -1;
	x->param[i] = (u32)v;
	x->params |= (u32)BIT(i);
	x->set |= BIT(RG_EXPERT_PARAMS);
	return 0;
}

static void make_keys(struct conf_key *key, enum roceguard_knob knob)
{
	int i;

	for (i = 0; i < RG_PARAMS; i++)
		if (rg_params[i].knob == knob)
			*key++ = (struct conf_key){ rg_params[i].key, i + 1,
						    false, key_param };
}

/**
 * conf_params_init() - make the keys of [DCQCN] and [CNP]
 */
void conf_params_init(void)
{
	make_keys(conf_dcqcn_key, ROCEGUARD_KNOB_DCQCN);
	make_keys(conf_cnp_key, ROCEGUARD_KNOB_CNP);
}

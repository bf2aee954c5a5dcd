// SPDX-License-Identifier: GPL-2.0
/*
 * PFC frames by dcbnl: "requests" are those sent, "indications" those received.
 * What the driver leaves alone it does not count.
 */
#include <net/dcbnl.h>
#include "source.h"

#define RG_NOT_COUNTED	U64_MAX
#define RG_PFC_NUMBERS	(2 * RG_PRIORITIES)

static void rg_pfc_numbers(const struct ieee_pfc *pfc, u64 *raw)
{
	memcpy(raw, pfc->requests, sizeof(pfc->requests));
	memcpy(raw + RG_PRIORITIES, pfc->indications, sizeof(pfc->indications));
}

static u32 rg_pfc_form(const u64 *raw)
{
	u32 counted = 0;
	int i;

	for (i = 0; i < RG_PFC_NUMBERS; i++)
		if (raw[i] != RG_NOT_COUNTED)
			counted |= BIT(i);
	return counted;
}

static bool rg_pfc_number(const void *numbers, unsigned int index,
			  struct rg_slot *slot)
{
	const u32 *counted = numbers;

	slot->name = index;
	slot->priority = index % RG_PRIORITIES;
	slot->counter = index < RG_PRIORITIES ? ROCEGUARD_COUNTER_TX_PAUSE :
						ROCEGUARD_COUNTER_RX_PAUSE;
	return *counted & BIT(index);
}

static int rg_pfc_get(struct rg_sampling *s, struct ieee_pfc *pfc)
{
	const struct dcbnl_rtnl_ops *ops;
	int err;

	memset(pfc->requests, 0xff, sizeof(pfc->requests));
	memset(pfc->indications, 0xff, sizeof(pfc->indications));
	err = rg_sampling_begin(s);
	if (err)
		return err;
	ops = s->dev->dcbnl_ops;
	err = ops && ops->ieee_getpfc && !s->foreign ?
		ops->ieee_getpfc(s->dev, pfc) : -EOPNOTSUPP;
	rg_sampling_end(s);
	return err < 0 ? err : 0;
}

int rg_read_dcbnl(struct rg_sampling *s, struct rg_source *source)
{
	struct ieee_pfc pfc = {};
	u64 raw[RG_PFC_NUMBERS];
	u32 form;
	int err;

	err = rg_pfc_get(s, &pfc);
	if (err)
		return err;
	source->pfc = pfc.pfc_en;
	rg_pfc_numbers(&pfc, raw);
	form = rg_pfc_form(raw);
	if (form != source->form) {
		err = rg_source_make(source, RG_PFC_NUMBERS, rg_pfc_number, &form);
		if (err)
			return err;
		source->form = form;
	}
	err = rg_source_room(source);
	if (!err)
		memcpy(source->raw, raw, source->given * sizeof(*raw));
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Knobs that are made of parameters of DCQCN, through a provider. */
#ifndef RG_KNOBS_PARAMS_H
#define RG_KNOBS_PARAMS_H

#include "knob.h"

int rg_params_read(struct rg_section *section, enum roceguard_knob knob);
bool rg_params_same(const struct rg_section *section, enum roceguard_knob knob);
int rg_params_write(struct rg_section *section, enum roceguard_knob knob);
void rg_params_describe(const struct rg_section *section,
			enum roceguard_knob knob, struct rg_text *have,
			struct rg_text *want);
void rg_params_keep(struct rg_have *to, const struct rg_have *from,
		    enum roceguard_knob knob);
int rg_params_put_back(struct rg_section *section, const struct rg_have *before,
		       enum roceguard_knob knob);
bool rg_params_are_back(const struct rg_section *section,
			const struct rg_have *before, enum roceguard_knob knob);

/* The knob of one enum roceguard_knob. */
#define RG_PARAMS_KNOB(_var, _name, _id)				\
static int _var##_read(struct rg_section *section)			\
{									\
	return rg_params_read(section, _id);				\
}									\
									\
static bool _var##_same(const struct rg_section *section)		\
{									\
	return rg_params_same(section, _id);				\
}									\
									\
static int _var##_write(struct rg_section *section)			\
{									\
	return rg_params_write(section, _id);				\
}									\
									\
static void _var##_describe(const struct rg_section *section,		\
			    struct rg_text *have, struct rg_text *want)	\
{									\
	rg_params_describe(section, _id, have, want);			\
}									\
									\
static void _var##_keep(struct rg_have *to, const struct rg_have *from)	\
{									\
	rg_params_keep(to, from, _id);					\
}									\
									\
static int _var##_put_back(struct rg_section *section,			\
			   const struct rg_have *before)		\
{									\
	return rg_params_put_back(section, before, _id);		\
}									\
									\
static bool _var##_is_back(const struct rg_section *section,		\
			   const struct rg_have *before)		\
{									\
	return rg_params_are_back(section, before, _id);		\
}									\
									\
const struct rg_knob _var = {						\
	.id	  = _id,						\
	.name	  = _name,						\
	.by_parts = true,						\
	.read	  = _var##_read,					\
	.same	  = _var##_same,					\
	.write	  = _var##_write,					\
	.describe = _var##_describe,					\
	.keep	  = _var##_keep,					\
	.put_back = _var##_put_back,					\
	.is_back  = _var##_is_back,					\
}

#endif /* RG_KNOBS_PARAMS_H */

// SPDX-License-Identifier: GPL-2.0
/* Receive buffers and the priorities they are for, through dcbnl. */
#include "../logic/compare.h"
#include "knob.h"

static int rg_buffer_read(struct rg_section *section)
{
	const struct dcbnl_rtnl_ops *ops = section->dev->dcbnl_ops;
	struct dcbnl_buffer *buffer = &section->have->buffer;
	int err;

	err = rg_dcb_usable(section, ops && ops->dcbnl_getbuffer &&
				     ops->dcbnl_setbuffer);
	if (err)
		return err;
	memset(buffer, 0, sizeof(*buffer));
	err = rg_dcb_result(ops->dcbnl_getbuffer(section->dev, buffer));
	if (err)
		return err;
	section->source = ROCEGUARD_SOURCE_DRIVER;
	return 0;
}

static bool rg_buffer_same(const struct rg_section *section)
{
	const struct dcbnl_buffer *have = &section->have->buffer;

	return rg_buffers_fit(section->want, have->buffer_size,
			      have->prio2buffer);
}

static int rg_buffer_write(struct rg_section *section)
{
	const struct rg_want *want = section->want;
	struct dcbnl_buffer buffer = section->have->buffer;
	u64 sum = 0;
	int i, err;

	for (i = 0; i < RG_BUFFERS; i++) {
		if (want->sized & BIT(i))
			buffer.buffer_size[i] = want->buffer_size[i];
		sum += buffer.buffer_size[i];
	}
	if (buffer.total_size && sum > buffer.total_size) {
		rg_because(section, "buffers of %llu bytes, and the port has %u; make them smaller",
			   sum, buffer.total_size);
		return -EINVAL;
	}
	for (i = 0; i < RG_PRIORITIES; i++)
		if (want->prio_buffer[i] != RG_UNSET)
			buffer.prio2buffer[i] = want->prio_buffer[i];
	err = rg_dcb_result(section->dev->dcbnl_ops->dcbnl_setbuffer(section->dev,
								     &buffer));
	if (err)
		rg_dcb_blame(section, err);
	return err;
}

static void rg_buffer_describe(const struct rg_section *section,
			       struct rg_text *have, struct rg_text *want)
{
	const struct dcbnl_buffer *h = &section->have->buffer;
	const struct rg_want *w = section->want;
	u8 prio_buffer[RG_PRIORITIES];
	int i;

	for (i = 0; i < RG_PRIORITIES; i++)
		prio_buffer[i] = w->prio_buffer[i] == RG_UNSET ?
					 RG_UNSET : h->prio2buffer[i];
	rg_text_buffers(have, w->sized, h->buffer_size, prio_buffer);
	rg_text_buffers(want, w->sized, w->buffer_size, w->prio_buffer);
}

static void rg_buffer_keep(struct rg_have *to, const struct rg_have *from)
{
	to->buffer = from->buffer;
}

static int rg_buffer_put_back(struct rg_section *section,
			      const struct rg_have *before)
{
	struct dcbnl_buffer buffer = before->buffer;

	return rg_dcb_result(section->dev->dcbnl_ops->dcbnl_setbuffer(section->dev,
								      &buffer));
}

const struct rg_knob rg_knob_buffer = {
	.id	  = ROCEGUARD_KNOB_BUFFER,
	.name	  = "buffer",
	.dcb	  = true,
	.read	  = rg_buffer_read,
	.same	  = rg_buffer_same,
	.write	  = rg_buffer_write,
	.describe = rg_buffer_describe,
	.keep	  = rg_buffer_keep,
	.put_back = rg_buffer_put_back,
};

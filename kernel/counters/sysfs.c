// SPDX-License-Identifier: GPL-2.0
/* The files counters/ of a port: one value, or those of the eight priorities. */
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "../logic/words.h"
#include "../sysfs.h"
#include "counters.h"

static struct kobj_attribute rg_counter_files[RG_COUNTERS];
static struct attribute *rg_counter_attrs[RG_COUNTERS + 1];

const struct attribute_group rg_counter_group = {
	.name  = "counters",
	.attrs = rg_counter_attrs,
};

/* What is absent is no number, and so no 0 to anybody. */
static int rg_value_show(char *buf, int at, bool there, u64 value, char after)
{
	return there ? sysfs_emit_at(buf, at, "%llu%c", value, after) :
		       sysfs_emit_at(buf, at, "-%c", after);
}

static int rg_sample_show(const struct rg_sample *sample, u32 counter, char *buf)
{
	int prio, len = 0;

	if (!rg_counter_per_priority(counter))
		return rg_value_show(buf, 0, rg_marks_any(&sample->have, counter),
				     sample->value.port[counter - RG_PRIORITY_COUNTERS],
				     '\n');
	for (prio = 0; prio < RG_PRIORITIES; prio++)
		len += rg_value_show(buf, len,
				     sample->have.prio[counter] & BIT(prio),
				     sample->value.prio[counter][prio],
				     prio + 1 < RG_PRIORITIES ? ' ' : '\n');
	return len;
}

static ssize_t rg_counter_show(struct kobject *kobj,
			       struct kobj_attribute *attr, char *buf)
{
	struct rg_sample *sample;
	struct rg_port *port;
	ssize_t len = -ENODEV;

	sample = kzalloc(sizeof(*sample), GFP_KERNEL);
	if (!sample)
		return -ENOMEM;
	port = rg_sysfs_port(kobj);
	if (port) {
		rg_counters_get(port, sample);
		rg_port_put(port);
		len = rg_sample_show(sample, attr - rg_counter_files, buf);
	}
	kfree(sample);
	return len;
}

/**
 * rg_counters_sysfs_init - name the files, as the contract names counters
 */
void rg_counters_sysfs_init(void)
{
	u32 i;

	for (i = 0; i < RG_COUNTERS; i++) {
		rg_counter_files[i].attr.name = rg_word(&rg_words_counter, i);
		rg_counter_files[i].attr.mode = 0444;
		rg_counter_files[i].show = rg_counter_show;
		rg_counter_attrs[i] = &rg_counter_files[i].attr;
	}
}

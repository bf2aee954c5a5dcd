// SPDX-License-Identifier: GPL-2.0
/*
 * A struct rg_port_status, which is made for a while, has room for the longest
 * texts that there may be of each knob. A port keeps them for good, so they are
 * packed, one after the other: most are short, or say nothing at all.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include "status.h"

#define RG_TEXTS_A_KNOB	3

static const struct {
	size_t offset;
	size_t size;
} rg_knob_texts[RG_TEXTS_A_KNOB] = {
	{ offsetof(struct rg_knob_status, have), RG_TEXT_MAX },
	{ offsetof(struct rg_knob_status, want), RG_TEXT_MAX },
	{ offsetof(struct rg_knob_status, reason), RG_REASON_MAX },
};

static const char *rg_text_of(const struct rg_knob_status *knob, int i)
{
	return (const char *)knob + rg_knob_texts[i].offset;
}

/* To @texts, unless it is NULL. Returns the room that it takes. */
static size_t rg_pack(char *texts, const struct rg_port_status *status)
{
	size_t size = 0, len;
	const char *text;
	int knob, i;

	for (knob = 0; knob < RG_KNOBS; knob++) {
		for (i = 0; i < RG_TEXTS_A_KNOB; i++) {
			text = rg_text_of(&status->knob[knob], i);
			len = strlen(text) + 1;
			if (texts)
				memcpy(texts + size, text, len);
			size += len;
		}
	}
	return size;
}

/**
 * rg_status_texts - the texts of a status, packed
 * @status: of a port
 *
 * Return: them, to be freed by kfree(), or NULL.
 */
char *rg_status_texts(const struct rg_port_status *status)
{
	char *texts = kmalloc(rg_pack(NULL, status), GFP_KERNEL);

	if (texts)
		rg_pack(texts, status);
	return texts;
}

/**
 * rg_status_set - have a port show another status
 * @port: with its lock held
 * @status: shown from now on
 * @texts: rg_status_texts() of it; NULL: there was no memory, it is shown without
 *
 * Return: what is to be freed once the lock is not held.
 */
char *rg_status_set(struct rg_port *port, const struct rg_port_status *status,
		    char *texts)
{
	char *old = port->texts;
	int knob;

	lockdep_assert_held(&port->lock);
	port->status = status->brief;
	for (knob = 0; knob < RG_KNOBS; knob++)
		port->knob[knob] = status->knob[knob].brief;
	port->texts = texts;
	return old;
}

static void rg_knob_get(struct rg_knob_status *knob, const char **texts)
{
	int i;

	for (i = 0; i < RG_TEXTS_A_KNOB; i++) {
		strscpy((char *)knob + rg_knob_texts[i].offset, *texts,
			rg_knob_texts[i].size);
		*texts += strlen(*texts) + 1;
	}
}

/**
 * rg_status_get - what a port shows
 * @port: the port
 * @status: filled in; all zeroes before
 */
void rg_status_get(struct rg_port *port, struct rg_port_status *status)
{
	const char *texts;
	unsigned long flags;
	int knob;

	spin_lock_irqsave(&port->lock, flags);
	status->brief = port->status;
	texts = port->texts;
	for (knob = 0; knob < RG_KNOBS; knob++) {
		status->knob[knob].brief = port->knob[knob];
		if (texts)
			rg_knob_get(&status->knob[knob], &texts);
	}
	spin_unlock_irqrestore(&port->lock, flags);
}

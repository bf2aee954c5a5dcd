// SPDX-License-Identifier: GPL-2.0
/* Dumps as the helper reads them: again, if they changed under way. */
#include "model.h"
#include "racer.h"

int list_ports(struct rgnl *nl)
{
	struct model_ports list = {};
	int err = model_ports(nl, &list);

	model_ports_free(&list);
	return err;
}

int list_policies(struct rgnl *nl)
{
	struct model_policies list = {};
	int err = model_policies(nl, &list);

	model_policies_free(&list);
	return err;
}

int list_history(struct rgnl *nl)
{
	struct model_entries list = {};
	int err = model_history(nl, 0, &list);

	model_entries_free(&list);
	return err;
}

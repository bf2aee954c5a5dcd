/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RG_PROVIDER_REGISTRY_H
#define RG_PROVIDER_REGISTRY_H

#include "provider.h"

void rg_providers_hold(void);
void rg_providers_release(void);
const struct rg_provider_ops *rg_provider_of(const char *driver);

#endif /* RG_PROVIDER_REGISTRY_H */

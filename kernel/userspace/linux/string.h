/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's memset(), for user space. */
#include <string.h>

/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's types, for user space. */
#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint64_t u64;

/* SPDX-License-Identifier: MIT */
#include "protocol/spin_fifo.h"

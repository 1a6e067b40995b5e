/* SPDX-License-Identifier: MIT */
/* No global resources, and no services for them. */

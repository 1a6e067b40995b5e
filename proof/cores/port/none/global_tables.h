/* SPDX-License-Identifier: MIT */
/* No global resource, and no services for it. */

/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_OTHER_MODULE_H
#define PLF_TEST_OTHER_MODULE_H

/* The definitions of the first module of OSEK that is included (OSEK Binding). */
#ifndef STATUSTYPEDEFINED
#define STATUSTYPEDEFINED
typedef unsigned char StatusType;
#define E_OK 0
#endif

#endif

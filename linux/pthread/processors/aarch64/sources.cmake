# SPDX-License-Identifier: MIT
# glibc has one version of each function here: names without a version will do.
set(plf_processor_sources)
set(plf_processor_map)
set(plf_processor_link)

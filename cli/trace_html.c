/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_model.h"
struct trace_out trace_html(void)
{
    return (struct trace_out){0};
}

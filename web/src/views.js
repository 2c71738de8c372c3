// SPDX-License-Identifier: Apache-2.0
// The views that all pages of the project share: lab/page.
import '../../lab/page/tokens.css';
import '../../lab/page/views.css';
import '../../lab/page/base.js';
import '../../lab/page/trace_model.js';
import '../../lab/page/pipeline.js';
import '../../lab/page/registers.js';
import '../../lab/page/source.js';
import '../../lab/page/trace_view.js';
import '../../lab/page/sweep_model.js';
import '../../lab/page/accuracy.js';
import '../../lab/page/histogram.js';
import '../../lab/page/front.js';
import '../../lab/page/sweep_view.js';

export default globalThis.tensixViews;

// The tokens of a text on a page of its own: everything came with it, and nobody is told what is done there.

import { came, root } from "./page.js";
import { default as show } from "./token_view.js";

show({ data: came.data, parentElement: root, setStateValue() {}, setTriggerValue() {} });

// The tokens of a text on a page of its own: the page has all data, so that no answer changes anything.

import { content, serve } from "./page.js";
import { default as show } from "../tokens/token_view.js";

content().then(({ data }) => serve(show, data, () => ({})));

// The tokens of a text on a saved page. The page has all data, so an answer changes nothing.

import { content, serve } from "./page.js";
import { default as show } from "../tokens/token_view.js";

content().then(({ data }) => serve(show, data, () => ({})));

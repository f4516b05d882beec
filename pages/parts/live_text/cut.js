// From what the server sends to the tokens at any step. All arrays; nothing here touches the page.

const CHUNK = 600; // symbols
const BLOCK = 5000;
const SPACED = -2; // a stretch whose first symbol is a space that the tokenizer put before the text

const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer;

function utf8(point, bytes, at) {
  if (point < 0x80) bytes[at++] = point;
  else if (point < 0x800) {
    bytes[at++] = 0xc0 | (point >> 6);
    bytes[at++] = 0x80 | (point & 63);
  } else {
    if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12);
    else {
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 63);
    }
    bytes[at++] = 0x80 | ((point >> 6) & 63);
    bytes[at++] = 0x80 | (point & 63);
  }
  return at;
}

/**
 * The symbols of a text, one entry each: `mergedAt`; `byteAt`, where its bytes begin in `bytes`; `from` and `to`, the
 * characters (UTF-16) that it belongs to; `head`, whether a character begins with it; `base`, its id.
 */
function readAnswer(data) {
  const { text, steps, tokenizer } = data;
  const wide = steps >= 0xffff;
  const mergedAt = new (wide ? Int32Array : Uint16Array)(fromBase64(data.merged_at));
  const never = wide ? 0x7fffffff : 0xffff;
  const size = mergedAt.length;
  const model = {
    text, steps, tokenizer, mergedAt, never, size,
    bytes: new Uint8Array(3 * text.length + size), byteAt: new Int32Array(size + 1),
    from: new Int32Array(size), to: new Int32Array(size), head: new Uint8Array(size), base: new Int32Array(size),
  };
  const stretches = new Int32Array(fromBase64(data.stretches)); // start, end, symbols, special; …
  let symbol = 0;
  let at = 0;
  const put = (from, to, head, id) => {
    model.from[symbol] = from;
    model.to[symbol] = to;
    model.head[symbol] = head;
    model.base[symbol] = id;
    model.byteAt[++symbol] = at;
  };
  const mark = (place) => {
    model.bytes[at++] = MARKER;
    put(place, place, 1, tokenizer.marker_id);
  };
  for (let s = 0; s < stretches.length; s += 4) {
    const [start, end, , special] = stretches.subarray(s, s + 4);
    if (special === SPACED) {
      model.bytes[at++] = 32;
      put(start, start, 1, tokenizer.space_id);
    }
    if (special < 0 && tokenizer.marker === "start") mark(start);
    let from = start;
    while (from < end) {
      const point = text.codePointAt(from);
      const to = from + (point > 0xffff ? 2 : 1);
      const first = at;
      const after = utf8(point, model.bytes, at);
      if (special >= 0) at = after;
      else {
        const known = tokenizer.alphabet === "bytes" ? -1 : (tokenizer.base[String.fromCodePoint(point)] ?? -1);
        const bytes = tokenizer.alphabet === "bytes" ? tokenizer.base : tokenizer.byte_ids;
        if (known < 0 && bytes.length)
          for (let i = first; i < after; i++) {
            at = i + 1;
            put(from, to, i === first ? 1 : 0, bytes[model.bytes[i]]);
          }
        else {
          at = after;
          put(from, to, 1, known);
        }
      }
      from = to;
    }
    if (special >= 0) put(start, end, 1, special);
    else if (tokenizer.marker === "end") mark(end);
  }
  const { cuts, opens } = chunksOf(model);
  Object.assign(model, { chunks: cuts, opens });
  model.steps_here = Array.from(new Set(mergedAt)).filter((step) => step !== never).sort((a, b) => a - b);
  return model;
}

/**
 * Where the text is cut for drawing: symbols where a token begins at every step, and with it a character.
 * `opens`: whether a chunk opens a block of its own, after a line break. Blocks are laid out apart, which keeps a long
 * text quick; one without line breaks gets a block now and then all the same.
 */
function chunksOf({ mergedAt, never, head, size, bytes, byteAt }) {
  const cuts = [0];
  const opens = [true];
  let [last, block] = [0, 0];
  for (let i = CHUNK / 3; i < size; i++) {
    if (mergedAt[i] !== never || !head[i] || i - last < CHUNK / 3) continue;
    const line = bytes[byteAt[i] - 1] === 10;
    if (!line && i - last < CHUNK) continue;
    const opening = line || i - block >= BLOCK;
    cuts.push(i);
    opens.push(opening);
    last = i;
    if (opening) block = i;
  }
  cuts.push(size);
  return { cuts, opens };
}

/** The tokens after `step` merges: `starts` (symbols, with the end), `ids`, `made` (steps), `colours` (2 · hue + shade). */
function cutAt(model, step, hues) {
  const { mergedAt, byteAt, bytes, base, size } = model;
  const starts = new Int32Array(size + 1);
  const ids = new Int32Array(size);
  const made = new Int32Array(size);
  const colours = new Uint8Array(size);
  let count = 0;
  for (let i = 0; i < size; count++) {
    let latest = 0;
    let j = i + 1;
    for (; j < size && mergedAt[j] <= step; j++) if (mergedAt[j] > latest) latest = mergedAt[j];
    const hue = hueOf(bytes, byteAt[i], byteAt[j], hues);
    starts[count] = i;
    made[count] = latest;
    ids[count] = latest ? idOf(model, latest) : base[i];
    colours[count] = count && colours[count - 1] === 2 * hue ? 2 * hue + 1 : 2 * hue;
    i = j;
  }
  starts[count] = size;
  return { step, count, starts, ids, made, colours };
}

/** The id of the token that a step made. */
const idOf = ({ tokenizer }, step) =>
  tokenizer.first_id === null ? tokenizer.made_ids[step] : tokenizer.first_id + step - 1;

const bytesOf = (model, start, end) => model.bytes.subarray(model.byteAt[start], model.byteAt[end]);

/** Whether a token is made of whole characters. */
const isWhole = (model, start, end) => model.head[start] && (end === model.size || model.head[end]);

/** The number of the token that holds a symbol. */
function tokenOf(cut, symbol) {
  let low = 0;
  let high = cut.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cut.starts[middle] <= symbol) low = middle;
    else high = middle - 1;
  }
  return low;
}

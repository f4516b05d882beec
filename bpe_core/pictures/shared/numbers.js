// Numbers that people see and type. Python has these functions, and more, in bpe_core/text/in_words.py and, for prices,
// in bpe_core/counting/prices.py.

const thousands = new Intl.NumberFormat("en");

/** Return a number as "1,234". @param {number} number */
export const grouped = (number) => thousands.format(number);

/** Return "1 token" or "2 tokens". @param {number} number @param {string} one */
export const counted = (number, one) => `${grouped(number)} ${one}${number === 1 ? "" : "s"}`;

/** Return "once" or "2 times". @param {number} number */
export const times = (number) => (number === 1 ? "once" : `${grouped(number)} times`);

/**
 * Return a share in percent. Only nothing is "0%", and only all is "100%".
 *
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole = 1) {
  const share = whole ? part / whole : 0;
  if (share >= 0.995 && share < 1) return "> 99%";
  if (share > 0 && share < 0.0001) return "< 0.01%";
  const places = share >= 0.1 || !share ? 0 : share >= 0.001 ? 1 : 2;
  return `${(Math.floor(100 * 10 ** places * share + 0.5) / 10 ** places).toFixed(places)}%`;
}

// A number with a decimal point and one with a decimal comma. Thousands are apart by the other sign, a space or "'".
const POINT = /^(\d+\.?\d*|\.\d+|\d{1,3}(,\d{3})+\.\d+|\d{1,3}(,\d{3}){2,}|\d{1,3}([\s'’]\d{3})+(\.\d+)?)$/;
const COMMA = /^(\d+,\d{1,2}|\d{1,3}(\.\d{3})+,\d{1,2}|\d{1,3}(\.\d{3}){2,}|\d{1,3}([\s'’]\d{3})+,\d{1,2})$/;
const OF_A_MILLION = /\s*(?:\/|\b(?:per|a)\b)\s*(?:1\s*)?(?:M|million)\s*(?:tok(?:en)?s?)?$/i;

const LONE_COMMA = /^\D*\d{1,3},\d{3}\D*$/;

/** Return why a text is no price; "" for a price, and for nothing. @param {string} written */
export function whyNoPrice(written) {
  if (!written.trim() || priceOf(written) >= 0) return "";
  return LONE_COMMA.test(written)
    ? "A comma before three digits may be a point: write 1000, or 1.0."
    : "A price is a number such as 2.50.";
}

/**
 * Return the number in a written price of a million tokens; NaN if it is no price, or could be two, as 1,000 could.
 *
 * @param {string} written
 */
export function priceOf(written) {
  const named = written.trim().replace(OF_A_MILLION, "");
  const bare = named
    .replace(/^[A-Z]{2,3}\b\s*|\s*\b[A-Z]{3}$/g, "")
    .trim()
    .replace(/^\p{Sc}\s*|\s*\p{Sc}$/u, "");
  if (POINT.test(bare)) return Number(bare.replace(/[^\d.]/g, ""));
  return COMMA.test(bare) ? Number(bare.replace(/[^\d,]/g, "").replace(",", ".")) : NaN;
}

/**
 * Return an amount with the currency of a written price; with $ if the price names none.
 *
 * @param {string} written
 * @param {string} amount
 */
export function money(written, amount) {
  const [sign] = written.match(/\p{Sc}/u) ?? [];
  const [code] = written.trim().replace(OF_A_MILLION, "").match(/\b[A-Z]{3}\b/) ?? [];
  return sign ? sign + amount : code ? `${code} ${amount}` : `$${amount}`;
}

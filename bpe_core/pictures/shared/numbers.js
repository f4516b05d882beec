// Numbers in sentences.

const thousands = new Intl.NumberFormat("en");

/** Return a number as "1,234". @param {number} number */
export const grouped = (number) => thousands.format(number);

/** Return "1 token" or "2 tokens". @param {number} number @param {string} one */
export const counted = (number, one) => `${grouped(number)} ${one}${number === 1 ? "" : "s"}`;

/** Return "once" or "2 times". @param {number} number */
export const times = (number) => (number === 1 ? "once" : `${grouped(number)} times`);

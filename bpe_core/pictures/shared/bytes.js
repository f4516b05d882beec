// Bytes and numbers as they travel in JSON, and bytes as people read them.

/** @import { Numbers, Packed } from "./types.js" */

/** Return the bytes of base64. @param {string} base64 */
export function fromBase64(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  // `Uint8Array.from` with a function takes ten times as long.
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/**
 * Return the numbers that Python has packed.
 *
 * @param {Packed} packed
 * @returns {Numbers}
 */
export function unpacked({ bits, base64 }) {
  const numbers = { 8: Uint8Array, 16: Uint16Array, 32: Int32Array, 64: Float64Array }[bits];
  return new numbers(fromBase64(base64).buffer);
}

/** Return the bytes of "6c6f". @param {string} text */
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return bytes as "6c6f", for `fromHex`. @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return a byte as "6C". @param {number} byte */
export const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

/** Return bytes as "6C 6F". @param {Uint8Array} bytes */
export const spacedHex = (bytes) => Array.from(bytes, hex).join(" ");

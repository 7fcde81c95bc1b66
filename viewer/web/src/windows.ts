// Which places of a long list are in sight.

const BEYOND = 8; // rows above and below what is in sight

export interface Window {
  first: number;
  last: number;
}

/** The places that are there when one has scrolled so far; `last` is not included. */
export function windowOf(scrolled: number, height: number, row: number, length: number): Window {
  const first = Math.max(0, Math.floor(scrolled / row) - BEYOND);
  const last = Math.min(length, Math.ceil((scrolled + height) / row) + BEYOND);
  return { first: Math.min(first, Math.max(0, length - 1)), last };
}

import { useState } from 'react';

export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** One key as long as the dialog is open: pressing twice, or again after a lost answer, acts once. */
export const useRequestKey = (): string => useState(newKey)[0];

/** Not a secret, only short: the same text gets the same key, another text another one. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(letter.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return hash.toString(36);
}

/** The same request with another text, or another word about data, is another request. */
export const keyFor = (key: string, text: string): string => `${key}-${fingerprint(text)}`;

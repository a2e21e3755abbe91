import { useState } from 'react';

export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** One key as long as the dialog is open: pressing twice, or again after a lost answer, acts once. */
export const useRequestKey = (): string => useState(newKey)[0];

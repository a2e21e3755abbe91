import { expect, it } from 'vitest';
import { useServedAlmanac } from './served-almanac.ts';

const almanac = useServedAlmanac();

it('fifty streams, terminals and requests for logs listen for the stop of the server without a warning', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  const listeners = Array.from({ length: 50 }, () => () => {});
  const { stopping } = almanac.service;
  process.on('warning', note);
  for (const each of listeners) stopping.addEventListener('abort', each);
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  for (const each of listeners) stopping.removeEventListener('abort', each);
  expect(warnings).toEqual([]);
});

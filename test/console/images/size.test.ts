import { expect, it } from 'vitest';
import { sizeText } from '../../../src/console/images/size.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [31_457_280, '31.5 MB'],
  [123_456_789, '123 MB'],
  [5_000_000_000, '5 GB'],
  [7e15, '7000 TB'],
])('%d bytes are shown as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text));

import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomChoice } from '../../basics/random.ts';

/** One-time codes by time, RFC 6238, with the parameters that every app supports: SHA-1, 6 digits, 30 seconds. */

const stepMs = 30_000;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const letters = alphabet.split('');

/** 160 bits in base 32 (RFC 4648), as apps expect it. */
export const newTotpSecret = (): string => Array.from({ length: 32 }, () => randomChoice(letters)).join('');

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of one time step (RFC 4226). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

export const stepOf = (now: number): number => Math.floor(now / stepMs);

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The step that the code belongs to: the current one or, because clocks differ, one before or after. Null: none. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const current = stepOf(now);
  const steps = [current, current - 1, current + 1].filter((step) => step >= 0);
  return steps.find((step) => isEqual(codeAt(secret, step), code)) ?? null;
}

/** What apps read from a QR code, or when it is opened on a phone. */
export const totpUri = (secret: string, { issuer, name }: { issuer: string; name: string }): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(name)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`;

import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { randomHex } from '../../../basics/random.ts';

/**
 * Registries read keys from X.509 certificates, which node can read but not make. This makes the one kind that is needed: self-signed,
 * P-256, DER (X.690) as in RFC 5280.
 */

const tags = { integer: 0x02, bits: 0x03, octets: 0x04, text: 0x0c, utcTime: 0x17, time: 0x18 } as const;
const sequenceTag = 0x30;
const setTag = 0x31;

const lengthOf = (size: number): Buffer => {
  if (size < 128) return Buffer.from([size]);
  const hex = size.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(sequenceTag, ...parts);
const bits = (content: Buffer): Buffer => tagged(tags.bits, Buffer.from([0]), content);

/** Object identifiers, encoded. */
const ids = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
  keyUsage: Buffer.from('0603551d0f', 'hex'),
};
const yes = Buffer.from('0101ff', 'hex');

const nameOf = (text: string): Buffer =>
  sequence(tagged(setTag, sequence(ids.commonName, tagged(tags.text, Buffer.from(text)))));

/** RFC 5280: two digits of the year until 2049. */
const timeOf = (ms: number): Buffer => {
  const digits = `${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;
  return digits < '2050'
    ? tagged(tags.utcTime, Buffer.from(digits.slice(2)))
    : tagged(tags.time, Buffer.from(digits));
};

const extension = (id: Buffer, value: Buffer): Buffer => sequence(id, yes, tagged(tags.octets, value));

/** It is its own authority, and signs tokens and itself. */
const extensions = (): Buffer =>
  tagged(
    0xa3,
    sequence(
      extension(ids.basicConstraints, sequence(yes)),
      extension(ids.keyUsage, tagged(tags.bits, Buffer.from([2, 0b1000_0100]))),
    ),
  );

const dayMs = 24 * 60 * 60_000;
const validDays = 3650;

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/** A certificate of the key for ten years, in PEM. Valid since yesterday, because clocks differ. */
export function selfSigned(key: KeyObject, { name, now }: { name: string; now: number }): string {
  const algorithm = sequence(ids.ecdsaWithSha256);
  const version3 = tagged(0xa0, tagged(tags.integer, Buffer.from([2])));
  // The first digit keeps it positive and without a leading zero.
  const serial = tagged(tags.integer, Buffer.from(`4${randomHex(31)}`, 'hex'));
  const body = sequence(
    version3,
    serial,
    algorithm,
    nameOf(name),
    sequence(timeOf(now - dayMs), timeOf(now + validDays * dayMs)),
    nameOf(name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    extensions(),
  );
  return pem(sequence(body, algorithm, bits(sign('sha256', body, key))));
}

import { createHmac } from 'node:crypto';
import type { Secret } from '../../../basics/secret.ts';
import { digest, equalTexts } from '../../access/secret-hash.ts';

/** What forges and CI send with a body, as far as it counts. Names of the headers without `x-`. */
export interface Proof {
  /** The bearer token. */
  token: string | null;
  /** GitHub, and others that imitate it: `sha256=` and the HMAC of the body. */
  hubSignature?: string | undefined;
  githubDelivery?: string | undefined;
  /** The HMAC of the body alone. */
  giteaSignature?: string | undefined;
  giteaDelivery?: string | undefined;
  /** GitLab sends the secret itself. */
  gitlabToken?: string | undefined;
  gitlabDelivery?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface Verified {
  /** `forge`: an event of a forge, of which many have nothing to deploy. `plain`: CI asks to deploy. */
  kind: 'forge' | 'plain';
  /** The same for a repeat of the delivery. Null: every call is a new one. */
  deliveries: readonly string[];
}

const given = (texts: readonly (string | undefined)[]): string[] =>
  texts.flatMap((text) => (text === undefined || text === '' ? [] : [digest(text)]));

/** Without a timestamp, the same body again is another wish. */
const hasTimestamp = (text: string): boolean => /"timestamp"\s*:/.test(text);

type Check = (proof: Proof, secret: Secret, text: string) => Verified | null;

/** Delivery ids are not signed, the body is: it must not be possible to repeat a body under another id. */
const signed =
  (signatureOf: (proof: Proof) => string | undefined, idOf: (proof: Proof) => string | undefined): Check =>
  (proof, secret, text) => {
    const expected = createHmac('sha256', secret.reveal()).update(text).digest('hex');
    const isValid = equalTexts(signatureOf(proof)?.toLowerCase() ?? '', expected);
    return isValid ? { kind: 'forge', deliveries: given([idOf(proof), `body ${text}`]) } : null;
  };

const checks: readonly Check[] = [
  signed(
    ({ hubSignature }) => hubSignature?.replace(/^sha256=/i, ''),
    ({ githubDelivery }) => githubDelivery,
  ),
  signed(
    ({ giteaSignature }) => giteaSignature,
    ({ giteaDelivery }) => giteaDelivery,
  ),
  ({ gitlabToken = '', gitlabDelivery, idempotencyKey }, secret) =>
    equalTexts(gitlabToken, secret.reveal())
      ? { kind: 'forge', deliveries: given([idempotencyKey ?? gitlabDelivery]) }
      : null,
  ({ token, idempotencyKey }, secret, text) =>
    equalTexts(token ?? '', secret.reveal())
      ? {
          kind: 'plain',
          deliveries: given([idempotencyKey, hasTimestamp(text) ? `body ${text}` : undefined]),
        }
      : null,
];

/** Null: nothing proves that the sender knows the secret. Always does all checks, so that its time says nothing. */
export const verifyDelivery = (proof: Proof, secret: Secret, text: string): Verified | null =>
  checks.map((check) => check(proof, secret, text)).find((verified) => verified !== null) ?? null;

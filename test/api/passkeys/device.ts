import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);

/** As much CBOR (RFC 8949) as a device needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

const flags = { present: 1, verified: 4, newKey: 64 };

export interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** What a test changes about an answer. */
export interface Doing {
  origin?: string;
  rpId?: string;
  /** Default: the person is verified. */
  verified?: boolean;
  counter?: number;
  userHandle?: string;
}

/** A security key in memory, with one ES256 key. */
export class Device {
  readonly id = base64url(randomBytes(16));
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #origin: string;
  #userHandle = '';
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  #authenticatorData(rpId: string, bits: number, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count]);
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Doing): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (text: string) => Buffer.from(text, 'base64url');
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    );
  }

  register(options: Options, doing: Doing = {}) {
    const { verified = true, counter = this.counter, rpId = options.rp?.id ?? '' } = doing;
    this.#userHandle = options.user?.id ?? '';
    const bits = flags.present | flags.newKey | (verified ? flags.verified : 0);
    const id = Buffer.from(this.id, 'base64url');
    const key = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#publicKey()]);
    const authData = Buffer.concat([this.#authenticatorData(rpId, bits, counter), key]);
    const attestation = cbor(
      new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options, doing)),
        attestationObject: base64url(attestation),
        transports: ['usb'],
      },
    };
  }

  answer(options: Options, doing: Doing = {}) {
    const { verified = true, counter = this.counter, rpId = options.rpId ?? '' } = doing;
    const data = this.#authenticatorData(rpId, flags.present | (verified ? flags.verified : 0), counter);
    const client = this.#clientData('webauthn.get', options, doing);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: doing.userHandle ?? this.#userHandle,
      },
    };
  }
}

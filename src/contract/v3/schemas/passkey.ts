import { Type } from 'typebox';

const base64url = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' });

const identity = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: Type.Literal('public-key'),
};

/** What a browser makes of `navigator.credentials.create`. */
export const newCredential = Type.Object(
  {
    ...identity,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(16_384),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]+$' }), { maxItems: 10 }),
      ),
    }),
  },
  { description: '`RegistrationResponseJSON` of WebAuthn: `PublicKeyCredential.toJSON()` in a browser.' },
);

/** What a browser makes of `navigator.credentials.get`. */
export const answeredCredential = Type.Object(
  {
    ...identity,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(4096),
      signature: base64url(4096),
      userHandle: Type.Optional(base64url(200)),
    }),
  },
  { description: '`AuthenticationResponseJSON` of WebAuthn: `PublicKeyCredential.toJSON()` in a browser.' },
);

/** Not valid: a real one has the public key. */
export const newCredentialExample = {
  id: 'q1w2e3r4t5z6u7i8',
  rawId: 'q1w2e3r4t5z6u7i8',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXQ' },
};

const options = (name: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: `\`${name}\` of WebAuthn: the argument \`publicKey\` of the browser's call. Valid for 5 minutes, once.`,
  });

export const requestOptions = {
  200: {
    description: 'What the browser asks the device.',
    schema: Type.Object({ options: options('PublicKeyCredentialRequestOptionsJSON') }),
  },
  409: { description: 'The URL of this service allows no passkeys.', schema: null },
};

export const creationOptions = {
  200: {
    description: 'What the browser asks the device.',
    schema: Type.Object({ options: options('PublicKeyCredentialCreationOptionsJSON') }),
  },
  409: {
    description:
      'The URL of this service allows no passkeys, you have too many, or you sign in with the OpenID provider.',
    schema: null,
  },
};

export const requestOptionsExample = {
  options: {
    challenge: 'djEuMDEyMzQ1Njc',
    rpId: 'almanac.example.com',
    userVerification: 'required',
    timeout: 300_000,
  },
};

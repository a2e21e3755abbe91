import { Type } from 'typebox';

/** Identifier chosen by a client: a single line of text, short enough to store and safe to display. */
const form = {
  maxLength: 128,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$',
};

export const identifier = (description: string) => Type.String({ ...form, minLength: 1, description });

/** Required, but may be empty. */
export const identifierOrEmpty = (description: string) => Type.String({ ...form, description });

/** May be omitted or empty. */
export const optionalIdentifier = (description: string) =>
  Type.Optional(Type.String({ ...form, description }));

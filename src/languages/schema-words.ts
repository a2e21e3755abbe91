import { type TSchema, Type } from 'typebox';
import { computed } from './placeholders.ts';

/** The vocabulary the languages' schemas are written in. */

/** Objects that know all their members: a mistyped one must not be silently ignored. */
export const closed = (description: string) => ({ description, additionalProperties: false }) as const;

export const text = (description: string, options: { maxLength?: number; format?: string } = {}) =>
  Type.String({ description, minLength: 1, maxLength: 4096, ...options });

export const secretText = (description: string) => text(description, { format: 'password' });

export const network = (description: string) => text(description, { format: 'cidr' });

/** Documents also write numbers as text ("80"); reading turns such text into the number. */
export const whole = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum });

export const yesOrNo = (description: string) => Type.Boolean({ description });

/** One of a few words; upper and lower case are the same. */
export const oneOf = <const T extends readonly string[]>(description: string, words: T) =>
  Type.Unsafe<T[number]>(Type.String({ description, enum: [...words] }));

export const orComputed = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Literal(computed)]);

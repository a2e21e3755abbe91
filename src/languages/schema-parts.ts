import { type TSchema, Type } from 'typebox';
import { computed } from './placeholders.ts';

/** Building blocks of the languages' schemas. */

/** Options of an object that rejects unknown members: a mistyped one must not be silently ignored. */
export const closed = (description: string) => ({ description, additionalProperties: false }) as const;

export const text = (description: string, options: { maxLength?: number; format?: string } = {}) =>
  Type.String({ description, minLength: 1, maxLength: 4096, ...options });

export const secretText = (description: string) => text(description, { format: 'password' });

export const network = (description: string) => text(description, { format: 'cidr' });

/** Documents also write numbers as strings ("80"); reading turns them into numbers. */
export const integer = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum });

export const boolean = (description: string) => Type.Boolean({ description });

/** One of several words; case does not matter. */
export const oneOf = <const T extends readonly string[]>(description: string, words: T) =>
  Type.Unsafe<T[number]>(Type.String({ description, enum: [...words] }));

export const orComputed = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Literal(computed)]);

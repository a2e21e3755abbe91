/** The part of JSON schema that templates use. */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly string[];
  format?: string;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  /** An older name, which is accepted but not suggested. */
  deprecated?: boolean;
  required?: readonly string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

const anyMember = ({ additionalProperties: any }: Schema): Schema | undefined =>
  typeof any === 'object' ? any : undefined;

const branchesOf = (schema: Schema): Schema[] => [schema, ...(schema.anyOf ?? []).flatMap(branchesOf)];

const step = (schema: Schema, name: string): Schema[] => {
  const entry = /^(\*|\d+)$/.test(name) ? schema.items : undefined;
  const { properties = {} } = schema;
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const found = member ?? entry ?? anyMember(schema);
  return found ? branchesOf(found) : [];
};

/** The schemas of the value at a path; several if it may have several kinds. */
export const schemasAt = (schema: Schema, path: readonly string[]): Schema[] =>
  path.reduce<Schema[]>((schemas, name) => schemas.flatMap((each) => step(each, name)), branchesOf(schema));

export const hasType = ({ type }: Schema, name: string): boolean =>
  Array.isArray(type) ? type.includes(name) : type === name;

export const isSecret = (schema: Schema, path: readonly string[]): boolean =>
  schemasAt(schema, path).some(({ format }) => format === 'password');

export const isObject = (schemas: readonly Schema[]): boolean =>
  schemas.some((schema) => schema.properties !== undefined || anyMember(schema) !== undefined);

/** `vendor` is open in the schema of the service: its only member is named after the vendor. */
export const withVendors = (schema: Schema, vendors: Readonly<Record<string, readonly string[]>>): Schema => {
  const region: Schema = { type: 'string', description: 'Region of the vendor.' };
  const secret: Schema = {
    type: 'string',
    format: 'password',
    description: 'Secret of a credential that is not saved yet.',
  };
  const credential = (ids: readonly string[]): Schema => ({
    type: 'string',
    enum: ids,
    description: 'Id of a saved credential.',
  });
  const properties = Object.fromEntries(
    Object.entries(vendors).map(([vendor, ids]): [string, Schema] => [
      vendor,
      {
        type: 'object',
        description: `A cloud of ${vendor}.`,
        properties: { cred: credential(ids), region, secret },
      },
    ]),
  );
  return {
    ...schema,
    properties: { ...schema.properties, vendor: { ...schema.properties?.['vendor'], properties } },
  };
};

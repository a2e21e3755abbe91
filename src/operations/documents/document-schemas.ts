import { writtenSchema as configurationSchema } from '../../languages/v2-configuration/written-schema.ts';
import { writtenSchema as templateSchema } from '../../languages/v3-template/written-schema.ts';
import type { Service } from '../service.ts';

const schemas = { template: templateSchema, configuration: configurationSchema } as const;

/** The JSON schema of a kind of document, for editors. `path`: where it is served. */
export const documentSchema = ({ settings }: Service, kind: keyof typeof schemas, path: string): object =>
  schemas[kind](settings.baseUrl + path);

import { writtenSchema } from '../../languages/v3-template/written-schema.ts';
import type { Service } from '../service.ts';

/** The JSON schema of templates, for editors. */
export const templateSchema = ({ settings }: Service, path: string): object =>
  writtenSchema(settings.baseUrl + path);

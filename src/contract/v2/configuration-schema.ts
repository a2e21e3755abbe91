import { route } from '../route.ts';
import { readTemplateSchema } from '../v3/cloud/template-schema.ts';

export const readConfigurationSchema = route({
  ...readTemplateSchema,
  name: 'v2ReadConfigurationSchema',
  path: '/v2/alm/configuration/schema',
  summary: 'Get the JSON schema of configurations',
  description:
    'A self-contained JSON schema (2020-12) with descriptions, for editors, of the `configurations` of a v2 stack. It allows what ' +
    'the service also accepts: numbers as text, words in any case, empty values.',
  tag: 'Stacks',
});

export const configurationSchemaRoutes = [readConfigurationSchema] as const;

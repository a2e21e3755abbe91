import type { readConfigurationSchema } from '../../../contract/v2/configuration-schema.ts';
import type { readTemplateSchema } from '../../../contract/v3/cloud/template-schema.ts';
import type { Run } from '../../command.ts';

/** Of what the API version of the profile reads: templates, or configurations of v2. */
export const printSchema: Run = async ({ api, out, version }) => {
  const { text } =
    version === 'v2'
      ? await api.call<typeof readConfigurationSchema>('GET', '/v2/alm/configuration/schema', {})
      : await api.call<typeof readTemplateSchema>('GET', '/v3/alm/template/schema', {});
  await out.document(text);
};

import type { readTemplateSchema } from '../../../contract/v3/cloud/template-schema.ts';
import type { Run } from '../../command.ts';

export const printSchema: Run = async ({ api, out }) => {
  const { text } = await api.call<typeof readTemplateSchema>('GET', '/v3/alm/template/schema', {});
  await out.document(text);
};

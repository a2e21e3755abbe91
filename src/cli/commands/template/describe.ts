import type { describeTemplate as describeRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';

export const describeTemplate: Run = async ({ api, args, out }) => {
  const params = { stack_id: args.required('id') };
  const query = { version_id: args.required('ver') };
  const path = '/v3/alm/template/{stack_id}';
  const { text } = await api.call<typeof describeRoute>('GET', path, { params, query });
  await out.document(text);
};

import type { listVersions as listRoute } from '../../../contract/v3/versions.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listVersions: Run = async ({ api, args, out }) => {
  const query = { stack_id: args.required('id') };
  const { text, body } = await api.call<typeof listRoute>('GET', '/v3/alm/template', { query });
  await out.document(text, () => ({
    header: ['VERSION ID', 'LATEST', 'LAST MODIFIED', 'SIZE'],
    rows: body.map((version) => [
      version.version_id,
      String(version.latest),
      tableTime(version.last_modified),
      version.size,
    ]),
  }));
};

import type * as v2 from '../../../contract/v2/credentials.ts';
import type * as v3 from '../../../contract/v3/credentials.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listCredentials: Run = async ({ api, args, out, version }) => {
  const vendor = args.required('vendor');
  const input = { params: { vendor } };
  const { text, body } =
    version === 'v2'
      ? await api.call<typeof v2.listVendorCredentials>('GET', '/v2/credentials/{vendor}', input)
      : await api.call<typeof v3.listVendorCredentials>('GET', '/v3/credentials/{vendor}', input);
  const cloudsOf = body.some(({ authUrl }) => authUrl !== undefined)
    ? { title: ['AUTH URL'], cell: (url = '') => [url] }
    : { title: [], cell: () => [] };
  await out.document(text, () => ({
    header: ['VENDOR', 'ID', 'ACCOUNT', 'LAST MODIFIED'].concat(cloudsOf.title),
    rows: body.map(({ id, account, lastModified, authUrl }) =>
      [vendor.toLowerCase(), id, account, tableTime(lastModified)].concat(cloudsOf.cell(authUrl)),
    ),
  }));
};

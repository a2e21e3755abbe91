import type * as secrets from '../../../contract/v3/secrets/secrets.ts';
import type { Run } from '../../command.ts';
import { tableTime } from '../../view/table.ts';

export const listSecrets: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof secrets.listSecrets>('GET', '/v3/alm/secret');
  await out.document(text, () => ({
    header: ['NAME', 'REVISION', 'SET BY', 'LAST SET', 'STACKS'],
    rows: body.map(({ name, revision, updated_by: by, updated_at: at, stacks }) => [
      name,
      String(revision),
      by,
      tableTime(at),
      stacks.map(({ nickname }) => nickname).join(', '),
    ]),
  }));
};

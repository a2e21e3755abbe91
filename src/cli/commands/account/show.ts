import type { describeAccount } from '../../../contract/v3/account.ts';
import type { Run } from '../../command.ts';

const limit = (value: number): string => (value === 0 ? 'no limit' : String(value));

export const showAccount: Run = async ({ api, out }) => {
  const { text, body } = await api.call<typeof describeAccount>('GET', '/v3/account');
  const { usage, quota } = body;
  await out.document(text, () => ({
    header: [
      'ACCOUNT',
      'STACKS',
      'VERSIONS OF A STACK',
      'EVENT STREAMS',
      'REQUESTS PER SECOND',
      'USERS',
      'CLIENTS',
    ],
    rows: [
      [
        body.name || body.account_id,
        `${usage.stacks} / ${limit(quota.stacks)}`,
        `${usage.versions} / ${limit(quota.versions)}`,
        limit(quota.streams),
        limit(quota.requests),
        String(usage.users),
        String(usage.clients),
      ],
    ],
  }));
};

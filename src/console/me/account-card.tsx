import type { describeAccount } from '../../contract/v3/account.ts';
import { useRead } from '../api/read.ts';
import { Card } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Facts } from '../parts/reading/facts.tsx';

const used = (count: number, quota: number): string =>
  quota === 0 ? count.toLocaleString('en') : `${count.toLocaleString('en')} of ${quota.toLocaleString('en')}`;

export const AccountCard = () => {
  const account = useRead<typeof describeAccount>('/v3/account');
  return (
    <Card title="Account">
      <Answer of={account} what="the account">
        {({ name, account_id, usage, quota }) => (
          <Facts
            facts={[
              ['Name', name || '–'],
              ['Id', <code key="id">{account_id}</code>],
              ['Stacks', used(usage.stacks, quota.stacks)],
              ['Users', used(usage.users, 0)],
              ['API clients', used(usage.clients, 0)],
            ]}
          />
        )}
      </Answer>
    </Card>
  );
};

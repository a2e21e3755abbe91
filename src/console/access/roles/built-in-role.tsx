import { addressOf, pages } from '../../address/pages.ts';
import { Card, Columns } from '../../parts/page/card.tsx';
import { Page } from '../../parts/page/page.tsx';
import { MayThey } from '../explain/may-they.tsx';
import type { Person, Role } from '../people.ts';
import { heldBy } from './held-by.ts';
import { readable } from './scope.ts';

/** The role that every account has. */
export const BuiltInRole = ({ role, people }: { role: Role; people: readonly Person[] }) => {
  const names = people
    .filter(({ roles }) => roles.some(({ role_id }) => role_id === role.role_id))
    .map(({ username }) => username);
  return (
    <Page
      title={role.name}
      above={[{ to: addressOf(pages.roles), label: 'Roles' }]}
      about={`${heldBy(names)} · built in: it allows everything and cannot be changed`}
    >
      <Columns>
        <Card title="Statements">
          <pre>{readable(role.scope)}</pre>
        </Card>
        <MayThey scope={role.scope} usernames={people.map(({ username }) => username)} />
      </Columns>
    </Page>
  );
};

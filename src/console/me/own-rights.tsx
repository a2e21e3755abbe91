import type { SuccessOf } from '../../contract/route.ts';
import type { describePermissions } from '../../contract/v3/sign-in/session.ts';
import { useRead } from '../api/read.ts';
import { Card } from '../parts/page/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Phase } from '../parts/status/status-phase.tsx';
import styles from './me.module.css';

type Permissions = SuccessOf<typeof describePermissions>;

const Rights = ({ actions }: { actions: Permissions['actions'] }) => {
  const entries = Object.entries(actions);
  const allowed = entries.filter(([, permission]) => permission.allowed);
  const refused = entries.filter(([, permission]) => !permission.allowed);
  return (
    <details className={styles.rights}>
      <summary>
        {allowed.length} of {entries.length} actions are allowed, at least for some stacks
      </summary>
      <ul>
        {[...allowed, ...refused].map(([action, permission]) => (
          <li key={action}>
            <Phase tone={permission.allowed ? 'good' : 'bad'} size={13} />
            <span>
              <code>{action}</code>{' '}
              <span className="unseen">{permission.allowed ? 'allowed' : 'refused'}</span>
              {!permission.allowed && <small>{permission.reason}</small>}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
};

const Roles = ({ roles }: { roles: Permissions['roles'] }) => {
  if (roles.length === 0) return <p>You have no role: the default rights of users apply.</p>;
  return (
    <>
      <p>Your roles:</p>
      <ul>
        {roles.map(({ role_id, name }) => (
          <li key={role_id}>
            {name} <code>{role_id}</code>
          </li>
        ))}
      </ul>
    </>
  );
};

/** Own roles and what they allow. */
export const OwnRights = ({ master }: { master: boolean }) => {
  const permissions = useRead<typeof describePermissions>(
    '/v3/session/permissions',
    {},
    { enabled: !master },
  );
  return (
    <Card title="What you may do">
      {master ? (
        <p>Everything in the account: roles do not limit the master user.</p>
      ) : (
        <Answer of={permissions} what="your rights">
          {({ roles, actions }) => (
            <>
              <Roles roles={roles} />
              <Rights actions={actions} />
            </>
          )}
        </Answer>
      )}
    </Card>
  );
};

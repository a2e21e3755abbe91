import type { SuccessOf } from '../../contract/route.ts';
import type { describePermissions } from '../../contract/v3/sign-in/session.ts';
import type { listOwnRoles } from '../../contract/v3/user-roles.ts';
import { useRead } from '../api/read.ts';
import { Card } from '../parts/card.tsx';
import { Answer } from '../parts/reading/answer.tsx';
import { Phase } from '../parts/status-phase.tsx';
import styles from './me.module.css';

type Actions = SuccessOf<typeof describePermissions>['actions'];

const Rights = ({ actions }: { actions: Actions }) => {
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

const Roles = () => {
  const roles = useRead<typeof listOwnRoles>('/v3/user/role');
  return (
    <Answer of={roles} what="your roles">
      {(own) =>
        own.length === 0 ? (
          <p>You have no role: the default rights of users apply.</p>
        ) : (
          <p>
            Your roles:{' '}
            {own.map(({ role_id }, index) => (
              <span key={role_id}>
                {index > 0 && ', '}
                <code>{role_id}</code>
              </span>
            ))}
          </p>
        )
      }
    </Answer>
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
        <>
          <Roles />
          <Answer of={permissions} what="your rights">
            {({ actions }) => <Rights actions={actions} />}
          </Answer>
        </>
      )}
    </Card>
  );
};

import { Link } from 'wouter';
import { addressOf, pages } from '../../address/pages.ts';
import type { Role } from '../people.ts';
import styles from './users.module.css';

/** The name of a role as people know it: the built-in one has a name of its own. */
export const RoleLinks = ({ roles }: { roles: readonly Role[] }) =>
  roles.length === 0 ? (
    <span className={styles.faint}>None: the default rights of users</span>
  ) : (
    <span className={styles.roles}>
      {roles.map(({ role_id, name }) => (
        <Link key={role_id} to={addressOf(pages.role, { id: role_id })}>
          {name}
        </Link>
      ))}
    </span>
  );

import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useId } from 'react';
import { Link } from 'wouter';
import { usePermission, useSession } from '../../session/session.ts';
import styles from './button.module.css';

type Look = 'plain' | 'main' | 'danger' | 'quiet';

interface LookProps {
  look?: Look;
  small?: boolean;
}

const classOf = ({ look = 'plain', small = false }: LookProps): string =>
  [styles.button, styles[look], small ? styles.small : ''].join(' ');

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, LookProps {
  /** Why the button is off. It stays visible, can be focused and says this. */
  off?: string | undefined;
  children: ReactNode;
}

/** A button that is off stays in the tab order and explains itself. */
export const Button = ({ look, small, off, onClick, children, ...rest }: ButtonProps) => {
  const why = useId();
  const isOff = off !== undefined && off !== '';
  return (
    <span className={styles.holder}>
      <button
        type="button"
        {...rest}
        className={classOf({ ...(look ? { look } : {}), ...(small ? { small } : {}) })}
        aria-disabled={isOff || undefined}
        aria-describedby={isOff ? why : undefined}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
      >
        {children}
      </button>
      {isOff && (
        <span id={why} role="tooltip" className={styles.why}>
          {off}
        </span>
      )}
    </span>
  );
};

interface ActProps extends ButtonProps {
  /** The action of the service that the button leads to. */
  action: string;
  stackId?: string | undefined;
}

/** A button that is off, with the reason, if the roles of the user do not allow its action. */
export const Act = ({ action, stackId, off, ...rest }: ActProps) => {
  const { allowed, reason } = usePermission(action, stackId);
  return <Button {...rest} off={allowed ? off : reason} />;
};

interface LinkButtonProps extends LookProps {
  to: string;
  children: ReactNode;
}

export const LinkButton = ({ to, children, ...look }: LinkButtonProps) => (
  <Link to={to} className={classOf(look)}>
    {children}
  </Link>
);

/** A link to a page that serves one action: off, with the reason, if the roles of the user do not allow it. */
export const LinkAct = ({ action, to, ...rest }: LinkButtonProps & { action: string }) => {
  const { data: session } = useSession();
  // The session says whether; only a refusal needs the request that says why.
  if (session?.actions?.[action] ?? true) return <LinkButton {...rest} to={to} />;
  return <Act {...rest} action={action} />;
};

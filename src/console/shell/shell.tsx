import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { servicePrefix } from '../api/base.ts';
import { LivePill } from '../live/live-pill.tsx';
import { Icon, Moon } from '../parts/page/icons.tsx';
import type { Session } from '../session/session.ts';
import { useStackList } from '../stacks/stack-list.ts';
import { useKeptFocus } from './keep-focus.ts';
import { sectionsFor } from './navigation.ts';
import styles from './shell.module.css';

type Here = (to: string) => 'page' | undefined;

const useHere = (): Here => {
  const [path] = useLocation();
  return (to) => {
    const isHere =
      to === '/' ? path === '/' || path.startsWith('/stack/') || path === '/new' : path.startsWith(to);
    return isHere ? 'page' : undefined;
  };
};

interface MeProps {
  user: Session['user'];
  here: 'page' | undefined;
}

const Me = ({ user, here }: MeProps) => (
  <Link to={addressOf(pages.me)} className={styles.me} aria-current={here}>
    <span className={styles.avatar} aria-hidden="true">
      {user?.name.charAt(0).toUpperCase()}
    </span>
    <span>
      {user?.name}
      <small>{user?.master ? 'master user' : 'user'}</small>
    </span>
  </Link>
);

/** On a narrow screen the menu scrolls: the page that is open must be in view. */
function useCurrentInView(): RefObject<HTMLElement | null> {
  const [path] = useLocation();
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    if (path === '') return;
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return menu;
}

/** Of the stacks; the page says the same in words. */
const Count = () => {
  const { data } = useStackList();
  return data ? (
    <span aria-hidden="true" className={styles.count}>
      {data.length}
    </span>
  ) : null;
};

const Rail = ({ session }: { session: Session }) => {
  const here = useHere();
  return (
    <nav aria-label="Main" className={styles.rail} ref={useCurrentInView()}>
      <Link to={addressOf(pages.stacks)} className={styles.logo}>
        <Moon /> Almanac
      </Link>
      <div className={styles.sections}>
        {sectionsFor(session).map(({ title, destinations }) => (
          <div key={title}>
            {title && <p className={styles.section}>{title}</p>}
            <ul>
              {destinations.map(({ to, label, icon }) => (
                <li key={to}>
                  <Link to={to} aria-current={here(to)}>
                    <Icon name={icon} /> {label}
                    {to === pages.stacks && <Count />}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <ul>
          <li>
            <a href={`${servicePrefix}/docs`}>
              <Icon name="book" /> API reference
            </a>
          </li>
        </ul>
      </div>
      <Me user={session.user} here={here(pages.me)} />
    </nav>
  );
};

interface ShellProps {
  session: Session;
  onSearch: () => void;
  children: ReactNode;
}

/** The frame of every page: rail, top bar, content. On a narrow screen the rail is a bar at the bottom. */
export const Shell = ({ session, onSearch, children }: ShellProps) => (
  <div className={styles.shell}>
    <a href="#content" className={styles.skip}>
      Skip to the content
    </a>
    <Rail session={session} />
    <div className={styles.side}>
      <header className={styles.top}>
        <button type="button" className={styles.search} onClick={onSearch}>
          <Icon name="search" size={14} /> Search or jump to … <kbd>Ctrl K</kbd>
        </button>
        <LivePill />
      </header>
      <main id="content" className={styles.content} tabIndex={-1} ref={useKeptFocus()}>
        {children}
      </main>
    </div>
  </div>
);

import { useLocation } from 'wouter';
import { addressOf, pages } from '../address/pages.ts';
import { setPreferences } from '../preferences.ts';
import { useSession } from '../session/session.ts';
import { sectionsFor } from '../shell/navigation.ts';
import { useStackList } from '../stacks/stack-list.ts';
import { actsOnStack, type Entry, stackEntries } from './entries.ts';

type Go = (to: string) => void;

const acts = (go: Go, onSignOut: () => void): Entry[] => {
  const theme = (name: 'dark' | 'light' | 'system'): Entry => ({
    id: `theme-${name}`,
    label: `Use the ${name} theme`,
    kind: 'action',
    icon: 'sun',
    words: 'colour appearance',
    run: () => setPreferences({ theme: name }),
  });
  const create: Entry = {
    id: 'new',
    label: 'New stack',
    kind: 'action',
    icon: 'plus',
    words: 'create apply template',
    run: () => go(addressOf(pages.newStack)),
  };
  const leave: Entry = {
    id: 'sign-out',
    label: 'Sign out',
    kind: 'action',
    icon: 'user',
    words: 'log out leave',
    run: onSignOut,
    stays: true,
  };
  return [create, theme('dark'), theme('light'), theme('system'), leave];
};

/** Everything the palette can find. */
export function useEntries(onSignOut: () => void): Entry[] {
  const [path, go] = useLocation();
  const { data: session } = useSession();
  const { data: rows = [] } = useStackList();
  const places = sectionsFor(session ?? {}).flatMap(({ destinations }) => destinations);
  const [, openId] = /^\/stack\/([^/]+)/.exec(path) ?? [];
  const open = rows.filter(({ stack_id }) => stack_id === openId);
  return [
    ...open.flatMap((row) => actsOnStack(row, go)),
    ...places.map(({ to, label, icon }) => ({
      id: to,
      label,
      kind: 'page',
      icon,
      words: '',
      run: () => go(to),
    })),
    ...acts(go, onSignOut),
    ...stackEntries(rows, go),
  ];
}

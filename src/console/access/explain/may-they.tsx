import { useQuery } from '@tanstack/react-query';
import type { explainAccess } from '../../../contract/v3/role-rehearsal.ts';
import { useSearchValues } from '../../address/search.ts';
import { call } from '../../api/call.ts';
import { word } from '../../parts/acts/command.ts';
import { AsCommand } from '../../parts/acts/copy.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { useSettled } from '../../parts/forms/settled.ts';
import { ErrorCard } from '../../parts/messages/error-card.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Phase } from '../../parts/status/status-phase.tsx';
import { useSession } from '../../session/session.ts';
import { useStackList } from '../../stacks/stack-list.ts';
import { missingIn } from '../roles/scope.ts';
import styles from './may-they.module.css';

interface Question {
  username?: string | undefined;
  /** The draft of a role, as JSON. */
  scope?: string | undefined;
  action: string;
  resource: string;
}

const useExplanation = (question: Question, enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: ['explain', question],
    // Nobody asks about the same draft again.
    ...(question.scope === undefined ? {} : { gcTime: 10_000 }),
    queryFn: ({ signal }) => {
      const { username, scope, action, resource } = question;
      return call<typeof explainAccess>('POST', '/v3/role/explain', {
        body: {
          action,
          ...(username ? { username } : {}),
          ...(scope === undefined ? {} : { scope }),
          ...(resource ? { resource } : {}),
        },
        signal,
      });
    },
  });

const inWords = (why: string): string => {
  const words = why.replace('of role "draft"', 'of this draft');
  return why.includes(' denies ') ? `${words} A Deny wins over every Allow.` : words;
};

const Verdict = ({ question }: { question: Question }) => {
  // A draft changes with every key; the other parts of the question are chosen.
  const scope = useSettled(question.scope);
  const missing = missingIn(question.scope ?? '');
  const { data, error } = useExplanation({ ...question, scope }, missing === null);
  if (missing) return <p>{missing}</p>;
  if (scope !== question.scope) return null;
  if (error) return <ErrorCard error={error} />;
  if (!data) return null;
  const allowed = data.decision === 'allowed';
  return (
    <p className={allowed ? styles.allowed : styles.denied} role="status">
      <Phase tone={allowed ? 'good' : 'bad'} size={16} />
      <span>
        <strong>{allowed ? 'Allowed' : 'Denied'}</strong> {inWords(data.why)}
      </span>
    </p>
  );
};

export const useActionNames = (): string[] => {
  const { data } = useSession();
  return Object.keys(data?.actions ?? {});
};

const stackPrefix = 'mrn:alm:stack:';

/** For choosing a stack by its nickname. */
export function useStackNames(): { value: string; label: string }[] {
  const { data = [] } = useStackList();
  return data.map(({ stack_id, nickname }) => ({ value: `${stackPrefix}${stack_id}`, label: nickname }));
}

const commandOf = ({ username, scope, action, resource }: Question): string =>
  [
    `alm rbac explain ${word(action, 'action')}`,
    ...(username ? [`--user ${word(username, 'name')}`] : []),
    ...(scope === undefined ? [] : ['--scope scope.json']),
    ...(resource ? [`--id ${word(resource.replace(stackPrefix, ''), 'stack')}`] : []),
  ].join(' ');

interface MayTheyProps {
  /** The user whose roles decide; absent: one is chosen. */
  username?: string;
  usernames?: readonly string[];
  scope?: string | undefined;
}

/** The question is in the address, so that its answer can be sent to others. */
export const MayThey = ({ username, usernames = [], scope }: MayTheyProps) => {
  const actions = useActionNames();
  const stacks = useStackNames();
  const [{ who = '', may: action = 'stack:deleteStack', on: resource = '' }, change] = useSearchValues();
  const question = { username: username ?? who, scope, action, resource };
  return (
    <Card title={username ? `May ${username} …?` : 'May they …?'}>
      <div className={styles.question}>
        {username === undefined && (
          <Select
            label="User"
            value={who}
            onChange={(event) => change({ who: event.target.value })}
            options={[{ value: '', label: 'Only this role' }, ...usernames]}
          />
        )}
        <Select
          label="Action"
          value={action}
          onChange={(event) => change({ may: event.target.value })}
          options={actions}
        />
        <Select
          label="Stack"
          value={resource}
          onChange={(event) => change({ on: event.target.value })}
          options={[{ value: '', label: 'Any' }, ...stacks]}
        />
      </div>
      <Verdict question={question} />
      <AsCommand command={commandOf(question)} />
    </Card>
  );
};

import { CallFailed, NoAnswer, NotLoaded, Refused } from '../../api/failure.ts';
import { Button } from '../acts/button.tsx';
import { Copy } from '../acts/copy.tsx';
import { Card, Row } from '../page/card.tsx';
import { Phase } from '../status/status-phase.tsx';
import styles from './error-card.module.css';

interface Explained {
  what: string;
  advice: string;
  problems: readonly { path: string; message: string }[];
  requestId: string | null;
}

/** What went wrong and what to do, in the words of the service. */
function explain(error: unknown): Explained {
  if (error instanceof NoAnswer)
    return {
      what: 'The server cannot be reached',
      advice: 'Nothing on this page was lost. Check the network, then try again.',
      problems: [],
      requestId: null,
    };
  if (error instanceof NotLoaded)
    return {
      what: error.message,
      advice:
        'The server cannot be reached, or it was updated after this page was opened. Try again: it loads the page again.',
      problems: [],
      requestId: null,
    };
  if (error instanceof Refused) return { what: error.message, advice: '', problems: [], requestId: null };
  if (!(error instanceof CallFailed))
    return { what: 'The console failed', advice: String(error), problems: [], requestId: null };
  return {
    // The sentence of a refusal is the same for all of them; what was missing is in the description.
    what: error.body?.RBAC ?? error.message,
    advice: error.body?.description ?? '',
    problems: error.body?.problems ?? [],
    requestId: error.requestId,
  };
}

/** What people call the members of a request: the labels of their fields. */
export type Names = Readonly<Record<string, string>>;

type Problem = Explained['problems'][number];

/** "Your password is wrong" in the place of "current_password is wrong". */
const inWordsOf = (names: Names, { path, message }: Problem): string | null => {
  const name = names[path];
  if (name === undefined) return null;
  return message.startsWith(`${path} `) ? name + message.slice(path.length) : `${name}: ${message}`;
};

const Problems = ({ problems, names }: { problems: readonly Problem[]; names: Names }) => (
  <ul className={styles.problems}>
    {problems.map((problem) => (
      <li key={problem.path + problem.message}>
        {inWordsOf(names, problem) ?? (
          <>
            <code>{problem.path}</code> {problem.message}
          </>
        )}
      </li>
    ))}
  </ul>
);

interface ErrorCardProps {
  error: unknown;
  names?: Names;
  onRetry?: (() => void) | undefined;
}

export const ErrorCard = ({ error, names = {}, onRetry }: ErrorCardProps) => {
  const { what, advice, problems, requestId } = explain(error);
  const same = problems.find(({ message }) => message === what);
  const others = problems.filter((problem) => problem !== same);
  return (
    <div role="alert">
      <Card tone="bad">
        <div className={styles.head}>
          <Phase tone="bad" size={20} />
          <div className={styles.text}>
            <strong>{(same && inWordsOf(names, same)) ?? what}</strong>
            {advice && <p className={styles.advice}>{advice}</p>}
            {others.length > 0 && <Problems problems={others} names={names} />}
          </div>
        </div>
        <Row spread>
          {requestId ? (
            <span className={styles.request}>
              Request <code>{requestId}</code> <Copy text={requestId} what="request id" />
            </span>
          ) : (
            <span />
          )}
          {onRetry && (
            <Button small onClick={onRetry}>
              Try again
            </Button>
          )}
        </Row>
      </Card>
    </div>
  );
};

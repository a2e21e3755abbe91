import { useState } from 'react';
import { useLocation } from 'wouter';
import type { applyTemplate } from '../../contract/v3/templates.ts';
import { addressOf, pages } from '../address/pages.ts';
import { call } from '../api/call.ts';
import { noticeRefusal } from '../api/read.ts';
import { type Example, examples } from '../examples/examples.ts';
import { Act, LinkButton } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { ErrorCard } from '../parts/messages/error-card.tsx';
import { Card, Row } from '../parts/page/card.tsx';
import { Phase } from '../parts/status/status-phase.tsx';
import { newKey } from '../stack/data/request-key.ts';
import { ExamplePicture } from './example-picture.tsx';
import styles from './welcome.module.css';

/** One key until a stack is there: pressed twice, or again after a lost answer, it still creates one. */
const keys = new Map<string, string>();

function keyOf(example: string): string {
  const key = keys.get(example) ?? newKey();
  keys.set(example, key);
  return key;
}

function useCreate() {
  const [, navigate] = useLocation();
  const [state, setState] = useState<{ busy: string | null; error: unknown }>({ busy: null, error: null });
  const create = async ({ id, text, format }: Example): Promise<void> => {
    setState({ busy: id, error: null });
    try {
      const { stack_id } = await call<typeof applyTemplate>('POST', '/v3/alm/template', {
        body: { text, format },
        headers: { 'idempotency-key': keyOf(id) },
      });
      keys.delete(id);
      navigate(addressOf(pages.stack, { id: stack_id }));
    } catch (error) {
      noticeRefusal(error);
      setState({ busy: null, error });
    }
  };
  return { ...state, create };
}

interface ExampleCardProps {
  example: Example;
  busy: boolean;
  onCreate: () => void;
}

const ExampleCard = ({ example, busy, onCreate }: ExampleCardProps) => (
  <Card>
    <div className={styles.example}>
      <h2>{example.title}</h2>
      <p>{example.about}</p>
      <ExamplePicture lanes={example.lanes} />
      <ul>
        {example.parts.map((part) => (
          <li key={part}>
            <Phase tone="good" size={12} /> {part}
          </li>
        ))}
        <li className={styles.time}>Takes about {example.seconds} seconds</li>
      </ul>
      <Row>
        <Act
          look="main"
          action="template:createAlmTemplate"
          off={busy ? 'The stack is being created.' : undefined}
          onClick={onCreate}
        >
          Create it in the sandbox
        </Act>
        <LinkButton to={addressOf(pages.newStack, null, { example: example.id })}>
          Look at it first
        </LinkButton>
      </Row>
    </div>
  </Card>
);

/** The list of stacks while there are none: the beginning. */
const Welcome = () => {
  const { busy, error, create } = useCreate();
  return (
    <div className={styles.welcome}>
      <header>
        <h2>Create your first stack</h2>
        <p>
          A stack is one application environment: servers, load balancers, databases and caches. The sandbox
          behaves like a cloud but creates nothing and costs nothing.
        </p>
      </header>
      {error !== null && <ErrorCard error={error} />}
      <div className={styles.cards}>
        {examples.map((example) => (
          <ExampleCard
            key={example.id}
            example={example}
            busy={busy !== null}
            onCreate={() => void create(example)}
          />
        ))}
      </div>
      <p className={styles.or}>The same on the command line:</p>
      <AsCommand command="alm template apply examples/first-stack.json --wait" />
    </div>
  );
};

export default Welcome;

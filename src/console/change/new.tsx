import { useEffect } from 'react';
import { addressOf, pages } from '../address/pages.ts';
import { useSearchValues } from '../address/search.ts';
import type { Draft } from '../editor/draft.ts';
import { examples } from '../examples/examples.ts';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Field, Select } from '../parts/forms/field.tsx';
import { Loading } from '../parts/messages/empty.tsx';
import { Stack } from '../parts/page/card.tsx';
import { Page } from '../parts/page/page.tsx';
import { NotAllowed } from '../parts/reading/answer.tsx';
import { usePermission } from '../session/session.ts';
import { Beginnings } from './beginnings.tsx';
import styles from './change.module.css';
import { applyAction } from './checks.tsx';
import { credentialIn, withCredential } from './credential.ts';
import { type DraftState, keptWords, type Start, useDraft, useOwner } from './draft-state.ts';
import { type Credentials, useCredentials, useTemplateSchema } from './vocabulary.ts';
import { Workbench } from './workbench.tsx';

const nothing: Start = { text: '', format: 'yaml', base: null };

interface SetupProps {
  draft: Draft;
  credentials: Credentials;
  onChange: (changes: Partial<Draft>) => void;
}

const valueOf = ({ vendor, credential }: { vendor: string; credential: string }): string =>
  `${vendor} ${credential}`;

/** Name and credential of a new stack. The credential is a part of the text, so choosing it changes the text. */
const Setup = ({ draft, credentials, onChange }: SetupProps) => {
  const chosen = credentialIn(draft.text, draft.format);
  const saved = Object.entries(credentials).flatMap(([vendor, entries]) =>
    entries.map(({ id, account }) => ({ vendor, credential: id, label: `${vendor} · ${account || id}` })),
  );
  const isKnown = saved.some((each) => chosen !== null && valueOf(each) === valueOf(chosen));
  const other = chosen ? `${chosen.vendor} · ${chosen.credential}, as in the text` : 'none yet';
  const options = [
    ...(isKnown ? [] : [{ value: '', label: other }]),
    ...saved.map((each) => ({ value: valueOf(each), label: each.label })),
  ];
  return (
    <div className={styles.setup}>
      <Field
        label="Name of the stack"
        placeholder="Three random words"
        maxLength={255}
        value={draft.nickname}
        onChange={(event) => onChange({ nickname: event.currentTarget.value })}
      />
      <Select
        label="Credential"
        options={options}
        value={isKnown && chosen ? valueOf(chosen) : ''}
        onChange={(event) => {
          const choice = saved.find((each) => valueOf(each) === event.currentTarget.value);
          if (choice) onChange({ text: withCredential(draft.text, draft.format, choice) });
        }}
      />
    </div>
  );
};

/** An address may name the example to begin with. It never replaces a draft. */
function useExample({ draft, isChanged, change }: DraftState): void {
  const [{ example }] = useSearchValues();
  useEffect(() => {
    const found = examples.find(({ id }) => id === example);
    if (found && !isChanged && draft.text === '') change({ text: found.text, format: found.format });
  }, [example, isChanged, draft.text, change]);
}

/** While there is no text. A draft stays on the screen, whatever the roles of its owner are now. */
const Beginning = ({ onBegin }: { onBegin: DraftState['change'] }) => {
  const { allowed, reason } = usePermission(applyAction(null));
  return (
    <Page
      title="New stack"
      about="A template describes it. You see what would be created before anything happens."
      above={[{ to: addressOf(pages.stacks), label: 'Stacks' }]}
    >
      {allowed ? (
        <Stack>
          <Beginnings onBegin={onBegin} />
          <AsCommand command="alm stack create --alm-template stack.yaml --wait" />
        </Stack>
      ) : (
        <NotAllowed to="create stacks" reason={reason} />
      )}
    </Page>
  );
};

const Creating = ({ owner }: { owner: string }) => {
  const credentials = useCredentials();
  const schema = useTemplateSchema(credentials);
  const state = useDraft({ owner, of: 'new' }, nothing, schema);
  const { draft, isChanged, kept, change, begin } = state;
  useExample(state);
  if (!isChanged) return <Beginning onBegin={change} />;
  return (
    <Workbench
      title="New stack"
      about={keptWords[kept]}
      stack={null}
      schema={schema}
      state={state}
      onDiscard={() => begin(nothing)}
    >
      <Setup draft={draft} credentials={credentials} onChange={change} />
    </Workbench>
  );
};

const NewStack = () => {
  const owner = useOwner();
  return owner === null ? <Loading what="the page" /> : <Creating owner={owner} />;
};

export default NewStack;

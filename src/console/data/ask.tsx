import type { UseMutationResult } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../parts/acts/button.tsx';
import { AsCommand } from '../parts/acts/copy.tsx';
import { Dialog, DialogActions } from '../parts/messages/dialog.tsx';
import styles from './data.module.css';
import { type Decision, decisionsOf, type Question, questionOf, type Word, withChoice } from './question.ts';

interface ChoiceProps {
  decision: Decision;
  chosen: string | undefined;
  onChoose: (parameter: string) => void;
}

/** Also of one option: nothing is chosen for the user. */
const Choice = ({ decision: { title, options }, chosen, onChoose }: ChoiceProps) => {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{title}</legend>
      {options.map(({ parameter, sentences }) => (
        <label key={parameter}>
          <input
            type="radio"
            name={name}
            checked={chosen === parameter}
            onChange={() => onChoose(parameter)}
          />
          <span>
            {sentences.map((sentence) => (
              <span key={sentence}>{sentence}</span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

interface AskDialogProps {
  question: Question;
  /** What the user has said already. */
  said: Word | undefined;
  command: (word: Word) => string;
  onAnswer: (word: Word) => void;
  onClose: () => void;
}

/** The service asks what becomes of data. Shows its sentences, and repeats the request with what is chosen. */
const AskDialog = ({ question, said = {}, command, onAnswer, onClose }: AskDialogProps) => {
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const decisions = decisionsOf(question);
  const word = decisions.reduce((so, decision) => {
    const parameter = choices[decision.id];
    return parameter ? withChoice(so, decision, parameter) : so;
  }, said);
  const isOpen = decisions.some(({ id }) => !choices[id]);
  return (
    <Dialog title="What becomes of the data?" wide onClose={onClose}>
      <div className={styles.choices}>
        {decisions.map((decision) => (
          <Choice
            key={decision.id}
            decision={decision}
            chosen={choices[decision.id]}
            onChoose={(parameter) => setChoices((before) => ({ ...before, [decision.id]: parameter }))}
          />
        ))}
      </div>
      <AsCommand command={command(word)} />
      <DialogActions>
        <Button onClick={onClose}>Do nothing</Button>
        <Button
          look="danger"
          off={isOpen ? 'Choose for each of them first.' : undefined}
          onClick={() => onAnswer(word)}
        >
          Go on
        </Button>
      </DialogActions>
    </Dialog>
  );
};

interface AskedProps<Input> {
  of: Pick<UseMutationResult<unknown, unknown, Input>, 'error' | 'variables' | 'mutate' | 'reset'>;
  command: (word: Word) => string;
  onClose?: () => void;
}

/** The dialog while the last answer to a request is a question. The request is repeated as it was sent, with the word. */
export const Asked = <Input extends { word?: Word | undefined }>({
  of: { error, variables, mutate, reset },
  command,
  onClose = reset,
}: AskedProps<Input>) => {
  const question = questionOf(error);
  if (!question || !variables) return null;
  return (
    <AskDialog
      question={question}
      said={variables.word}
      command={command}
      onAnswer={(word) => mutate({ ...variables, word })}
      onClose={onClose}
    />
  );
};

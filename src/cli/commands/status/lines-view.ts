import type { Context } from '../../command.ts';
import { oneLine } from '../../view/colour.ts';
import { yamlOptions } from '../../view/yaml-options.ts';
import type { StackChange } from './known-stacks.ts';
import { detailOf } from './rows.ts';
import type { StatusView } from './status-view.ts';

type Write = (change: StackChange) => string;

const documentOf = ({ stackId, stack }: StackChange): object => stack ?? { stack_id: stackId, deleted: true };

const lineOf = ({ stackId, stack }: StackChange, now: number): string => {
  const [status, name, detail] = stack
    ? [stack.stack_status, stack.nickname, detailOf(stack, now)]
    : ['DELETED', '', ''];
  return `${oneLine([status.padEnd('CREATE_IN_PROGRESS'.length), stackId, name, detail].filter(Boolean).join('  '))}\n`;
};

async function writerFor({ out, system }: Context): Promise<Write> {
  if (out.format === 'table') return (change) => lineOf(change, system.clock.now());
  if (out.format !== 'yaml') return (change) => `${JSON.stringify(documentOf(change))}\n`;
  const { stringify } = await import('yaml');
  return (change) => stringify([documentOf(change)], yamlOptions);
}

/** One line per change, for files and programs: text, a YAML list item, or one JSON object. */
export async function linesView(context: Context): Promise<StatusView> {
  const { out } = context;
  const write = await writerFor(context);
  return {
    show: (changes) => {
      for (const change of changes) out.data(write(change));
    },
    lost: (reason) => out.warn(`Connection lost: ${reason} Reconnecting.`),
    restored: () => out.info('Reconnected.'),
    close: () => {},
  };
}

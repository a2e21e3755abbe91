import { createHash } from 'node:crypto';
import type { Container } from '../../docker-engine/container-types.ts';
import { isEngineFailure } from '../../docker-engine/errors.ts';
import { type Survey, Unreachable } from '../vendor.ts';
import { labels } from './names.ts';
import type { Machine } from './tools.ts';

/** Short, to notice killed containers soon. */
const everyMs = 5_000;
/** A list shows neither whether an application is ready nor what a balancer is configured for. */
const aloneMs = 300_000;

/** Names have the phases of instances; addresses change when a container is started again. */
const textOf = ({ id, name, state, networks }: Container): string =>
  JSON.stringify([id, name, state, networks.map(({ address }) => address)]);

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.toSorted().join('\n')).digest('base64url').slice(0, 22);

async function look({ engine }: Machine): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string[]>();
  for (const container of await engine.containers.list({ [labels.stack]: null })) {
    const stackId = container.labels[labels.stack] ?? '';
    const texts = found.get(stackId);
    if (texts) texts.push(textOf(container));
    else found.set(stackId, [textOf(container)]);
  }
  return new Map([...found].map(([stackId, texts]) => [stackId, digest(texts)]));
}

/** One list of all containers of the machine, for any number of stacks. */
export const surveyOf = (machine: Machine): Survey => ({
  everyMs,
  aloneMs,
  look: () =>
    look(machine).catch((error: unknown) => {
      throw isEngineFailure(error) ? new Unreachable(error.message, { cause: error }) : error;
    }),
});

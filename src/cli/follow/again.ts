import type { Context } from '../command.ts';

/** What chose the stack's server and interface for this command must choose it for the next one. */
const choices = ['profile', 'url', 'apiver'] as const;

/** The same stack with another command: `alm stack wait <id>`. */
export const commandFor = ({ args }: Pick<Context, 'args'>, words: string, stackId: string): string =>
  [
    `alm ${words} ${stackId}`,
    ...choices.flatMap((name) => (args.has(name) ? [`--${name} ${args.text(name) ?? ''}`] : [])),
  ].join(' ');

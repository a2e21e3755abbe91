import type { Context } from '../command.ts';
import { plainLine } from './display.ts';
import { commandName } from './names.ts';
import { describeOutcome, durationSuffix, type Outcome, type WaitTarget } from './outcome.ts';
import type { StackState } from './stack-calls.ts';

interface Listener {
  load_balancer_port?: unknown;
  LoadBalancerPort?: unknown;
  protocol?: unknown;
  Protocol?: unknown;
}

interface Layer {
  provision?: { load_balancer?: { listeners?: readonly Listener[] } };
  container?: { container_ports?: unknown; ports?: unknown };
}

/** `http` or `https`, if the stack says that it serves it. */
function schemeOf(configuration: { configurations?: unknown } | undefined): string | undefined {
  const layers = configuration?.configurations;
  if (!Array.isArray(layers)) return undefined;
  const [listener] = layers.flatMap((layer: Layer) => layer.provision?.load_balancer?.listeners ?? []);
  if (listener) return /^https?$/i.exec(String(listener.protocol ?? listener.Protocol))?.[0].toLowerCase();
  const ports = layers.flatMap(
    ({ container }: Layer) => container?.container_ports ?? container?.ports ?? [],
  );
  return ports.map(String).includes('80') ? 'http' : undefined;
}

/** The address of the application, as a browser takes it where that is known; undefined if it has none. */
function addressOf({ outputs, configuration }: StackState): string | undefined {
  const address = outputs.find(({ OutputKey: key }) => key === 'Address')?.OutputValue;
  if (!address || address.includes('://')) return address;
  const scheme = schemeOf(configuration);
  return scheme === undefined ? address : `${scheme}://${address}`;
}

const defaultColumns = 80;

/** `shop is up: http://203.0.113.7 — alm logs shop, alm open shop`, in two lines if it is wider than the terminal. */
export function endingLines(target: WaitTarget, outcome: Outcome, columns: number): string[] {
  const { state } = outcome;
  const name = state.nickname || target.stackId;
  const after = durationSuffix(outcome);
  if (state.status === 'DELETE_COMPLETE') return [`${name} is deleted${after}.`];
  if (state.health === 'degraded' || state.health === 'down')
    return [`${name} is ${state.status}${after}, but its application is ${state.health}.`];
  const address = addressOf(state);
  const what = `${name} is up${after}${address === undefined ? '' : `: ${address}`}`;
  const word = commandName(target.stackId, state.nickname);
  const hasApplication = state.health !== undefined && state.health !== 'none';
  const next = [...(hasApplication ? [`alm logs ${word}`] : []), `alm open ${word}`].join(', ');
  const line = `${what} — ${next}`;
  return line.length < columns ? [line] : [what, `→ ${next}`];
}

/** Says that an operation succeeded. */
export function printEnding({ out }: Context, target: WaitTarget, outcome: Outcome): void {
  out.info(`${describeOutcome(target, outcome)}.`);
  for (const { OutputKey: key, OutputValue: value } of outcome.state.outputs) out.more(`${key}: ${value}`);
}

/** The same for a person on a terminal: the name, the address and the next command. */
export function showEnding(context: Context, target: WaitTarget, outcome: Outcome): void {
  const columns = context.system.stderr.columns || defaultColumns;
  for (const line of endingLines(target, outcome, columns)) plainLine(context, line);
}

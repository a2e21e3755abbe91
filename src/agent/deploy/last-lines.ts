import type { Engine } from '../../docker-engine/types.ts';
import type { AgentLog } from '../log.ts';

const maxLines = 20;
const maxChars = 4000;
/** More than is kept: a private key is redacted only if its first line is there. */
const readLines = 100;

/** The last lines that a container wrote, without secrets. Empty if they cannot be read. */
export async function lastLinesOf(
  engine: Engine,
  log: Pick<AgentLog, 'clean'>,
  container: string,
): Promise<string> {
  const written = await engine.containers.logs(container, readLines).catch(() => '');
  return log.clean(written).trim().split('\n').slice(-maxLines).join('\n').slice(-maxChars);
}

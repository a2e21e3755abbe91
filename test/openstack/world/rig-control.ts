import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { rig } from './rig.ts';

const run = promisify(execFile);

const script = (text: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> =>
  run('bash', ['-euc', text, 'rig-control', rig.tools], {
    env: { ...process.env, OPENSTACK_RIG: rig.folder, ...env },
    maxBuffer: 1 << 26,
  });

/** Kills every process of the engine of Heat, as a crash of its machine would. */
export const killEngine = () =>
  script('read -r pid _ < "$OPENSTACK_RIG/run/heat-engine.pid"; kill -KILL $(ps -o pid= -s "$pid")');

/** Starts what does not run. */
export const startAgain = () => script('"$1/up.sh"');

/** Restarts Keystone with another life of tokens. */
export const setTokenLife = (seconds: number) =>
  script('(set +eu; . "$1/lib/common.sh"; stop keystone); "$1/up.sh"', { TOKEN_SECONDS: String(seconds) });

const stopHeat = 'for part in heat-engine heat-api heat-api-cfn; do stop "$part"; done';

/** Restarts Heat as K5 has it, or as OpenStack has it. */
export const setK5 = (isK5: boolean) =>
  script(`(set +eu; . "$1/lib/common.sh"; ${stopHeat}); "$1/up.sh"`, { K5: isK5 ? '1' : '' });

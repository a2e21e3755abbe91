import { readFileSync } from 'node:fs';
import { filledScript } from '../../shared/agents.ts';

const script = readFileSync(new URL('./mount-data.sh', import.meta.url), 'utf8');

/** Shell lines that mount the volume with a server's data: see mount-data.sh. */
export const mountLines = (directory: string): string => filledScript(script, { DIRECTORY: directory });

import type { ApiVersion } from '../args/flag.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { System } from '../system.ts';
import type { Typed } from './typed.ts';

/** Which version of the interface the command will speak. */
export async function versionInUse(system: System, { command, args }: Typed): Promise<ApiVersion> {
  try {
    return command?.only ?? (await loadSettings(system, args)).settings.api_version;
  } catch {
    return 'v3';
  }
}

import { checkRules } from './args/check-rules.ts';
import type { Context } from './command.ts';
import { outputFor, type Request } from './invocation.ts';
import { Api } from './net/api.ts';
import { loudTrace, silentTrace } from './net/trace.ts';
import { othersCanRead } from './settings/config-file.ts';
import type { Loaded } from './settings/load-settings.ts';
import { tokenSource } from './stores/token-source.ts';

/** All a command has to work with, from the file, the environment and the flags. */
export function contextFor(request: Request, loaded: Loaded): Context {
  const { system, command, args } = request;
  const { config, profile, saved, settings } = loaded;
  const version = command.only ?? settings.api_version;
  checkRules(command, args, settings.api_version);
  const out = outputFor(request, settings.indent);
  out.mustBeWritable();
  if (saved.access_token !== '' && othersCanRead(config.path, system.platform))
    out.warn(`Others can read ${config.path}, and the token in it. Mend it: chmod 600 ${config.path}`);
  const trace = settings.verbose ? loudTrace(system.clock, (line) => out.info(line)) : silentTrace;
  const tokens = tokenSource({ system, args, settings, profile, savedFor: saved.api_url, trace });
  const api = new Api({ system, settings, tokens, trace });
  return { ...request, settings, version, config, profile, api, out, trace };
}

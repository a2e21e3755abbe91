import { checkRules } from './args/check-rules.ts';
import type { Context, Invocation } from './command.ts';
import { makeOutput } from './make-output.ts';
import { Api } from './net/api.ts';
import { noTrace, verboseTrace } from './net/trace.ts';
import { isReadableByOthers } from './settings/config-file.ts';
import type { LoadedSettings } from './settings/load-settings.ts';
import { tokenSource } from './stores/token-source.ts';

/** Creates the context of a command from the configuration file, the environment and the flags. */
export function makeContext(invocation: Invocation, loaded: LoadedSettings): Context {
  const { system, command, args } = invocation;
  const { config, profile, saved, settings } = loaded;
  const version = command.only ?? settings.api_version;
  checkRules(command, args, settings.api_version);
  const out = makeOutput(invocation, settings.indent);
  out.checkWritable();
  if (saved.access_token !== '' && isReadableByOthers(config.path, system.platform))
    out.warn(`${config.path} contains a token and is readable by other users. Fix: chmod 600 ${config.path}`);
  const trace = settings.verbose ? verboseTrace(system.clock, (line) => out.info(line)) : noTrace;
  const tokens = tokenSource({ system, args, settings, profile, savedFor: saved.api_url, trace });
  const api = new Api({ system, settings, tokens, trace });
  return { ...invocation, settings, version, config, profile, api, tokens, out, trace };
}

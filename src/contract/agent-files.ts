import { route } from './route.ts';

/** Files an instance downloads before it can authenticate. Identical for all callers and free of secrets. */
export const installScript = route({
  name: 'agentInstallScript',
  method: 'GET',
  path: '/agent/install.sh',
  access: 'public',
  summary: 'Download the agent install script',
  description:
    'Installs the agent on a server. Run it as root: `curl -fsSL <address>/agent/install.sh | sh -s -- --server <address> --stack <stack_id> --flag <flag> …`.',
  tag: 'Agents',
  bodyKind: 'none',
  replies: { 200: { description: 'A shell script.', schema: null, contentType: 'text/x-shellscript' } },
});

export const agentProgram = route({
  name: 'agentProgram',
  method: 'GET',
  path: '/agent/alm-agent.mjs',
  access: 'public',
  summary: 'Download the agent',
  description: 'Returns the agent as a single file.',
  tag: 'Agents',
  bodyKind: 'none',
  replies: { 200: { description: 'A Node.js program.', schema: null, contentType: 'text/javascript' } },
});

export const agentFileRoutes = [installScript, agentProgram] as const;

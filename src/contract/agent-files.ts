import { type Route, route } from './route.ts';

/** What an instance fetches before it can prove anything: the same for everybody, and no secret in it. */
export const installScript = route({
  name: 'agentInstallScript',
  method: 'GET',
  path: '/agent/install.sh',
  access: 'public',
  summary: 'The script that installs the agent on a server',
  description:
    'Run it as root: `curl -fsSL <address>/agent/install.sh | sh -s -- --server <address> --stack <stack_id> --flag <flag> …`.',
  tag: 'Agents',
  bodyKind: 'none',
  replies: { 200: { description: 'A shell script.', schema: null, contentType: 'text/x-shellscript' } },
});

export const agentProgram = route({
  name: 'agentProgram',
  method: 'GET',
  path: '/agent/alm-agent.mjs',
  access: 'public',
  summary: 'The agent itself, one file',
  tag: 'Agents',
  bodyKind: 'none',
  replies: { 200: { description: 'A program for Node.js.', schema: null, contentType: 'text/javascript' } },
});

export const agentFileRoutes: readonly Route[] = [installScript, agentProgram];

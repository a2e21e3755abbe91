import { route } from './route.ts';

/** A command line of the same version as the server, from the server. The same for everybody, and no secret in it. */
export const commandLine = route({
  name: 'commandLineProgram',
  method: 'GET',
  path: '/cli/alm',
  access: 'public',
  summary: 'The command line, one file',
  description:
    'Needs Node.js 20.16 or newer: `curl -fsSL -o alm <address>/cli/alm && chmod +x alm && ./alm login --url <address>`.',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'A program for Node.js.', schema: null, contentType: 'text/javascript' } },
});

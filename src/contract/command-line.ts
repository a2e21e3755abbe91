import { route } from './route.ts';

/** The `alm` program in the server's own version. Identical for all callers and free of secrets. */
export const commandLine = route({
  name: 'commandLineProgram',
  method: 'GET',
  path: '/cli/alm',
  access: 'public',
  summary: 'Download the command line',
  description:
    'Returns `alm` as a single file. Requires Node.js 20.16 or later. Install: ' +
    '`curl -fsSL -o alm <address>/cli/alm && chmod +x alm && ./alm login --url <address>`.',
  tag: 'Operation',
  bodyKind: 'none',
  replies: { 200: { description: 'A Node.js program.', schema: null, contentType: 'text/javascript' } },
});

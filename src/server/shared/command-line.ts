import { commandLine } from '../../contract/command-line.ts';
import { type Binding, bindFor, rawReply } from '../http/binding.ts';

/** The program is an output of the build and is passed in. */
export const commandLineBindings = <A>(program: () => Promise<Buffer>): Binding<A>[] => [
  bindFor<A>()(commandLine, async () =>
    rawReply({ contentType: 'text/javascript; charset=utf-8', body: await program() }),
  ),
];

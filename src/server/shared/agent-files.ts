import { agentProgram, installScript } from '../../contract/agent-files.ts';
import { type Binding, bindFor, rawReply } from '../http/binding.ts';

/** Files of the agent: outputs of the build that are passed in. */
export interface AgentFiles {
  script(): Promise<string>;
  program(): Promise<Buffer>;
}

export const agentFileBindings = <A>(files: AgentFiles): Binding<A>[] => {
  const bind = bindFor<A>();
  return [
    bind(installScript, async () =>
      rawReply({ contentType: 'text/x-shellscript; charset=utf-8', body: await files.script() }),
    ),
    bind(agentProgram, async () =>
      rawReply({ contentType: 'text/javascript; charset=utf-8', body: await files.program() }),
    ),
  ];
};

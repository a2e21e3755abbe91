import type { State, StateDirectory } from './state.ts';

/** What the agent knows, on disk as soon as it knows it. */
export interface Memory {
  readonly state: State;
  /** Nothing was on disk: the agent is new here, or its directory was lost. */
  readonly isNew: boolean;
  remember(change: Partial<State>): Promise<void>;
}

export async function openMemory(directory: StateDirectory): Promise<Memory> {
  const { state, isNew } = await directory.readState();
  const memory = {
    state,
    isNew,
    async remember(change: Partial<State>) {
      memory.state = { ...memory.state, ...change };
      await directory.saveState(memory.state);
    },
  };
  await memory.remember({});
  return memory;
}

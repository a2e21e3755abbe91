import type { System } from './system.ts';

/** Asks on the terminal and shows what is typed. */
export async function askLine(_system: System, _label: string): Promise<string> {
  throw new Error('not written yet');
}

/** Asks on the terminal and does not show what is typed. */
export async function askSecret(_system: System, _label: string): Promise<string> {
  throw new Error('not written yet');
}

import type { BareRun } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const scripts: Readonly<Record<string, string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const printCompletion: BareRun = async ({ args, out }) =>
  out.data(scripts[args.required('shell')] ?? '');

import type { Run } from '../command.ts';
import { version } from '../version.ts';

export const printVersion: Run = async ({ out }) => out.data(`${version}\n`);

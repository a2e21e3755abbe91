export type { DataWorld } from './data-contract/world.ts';

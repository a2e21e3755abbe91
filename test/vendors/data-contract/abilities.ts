import { changing, replacing } from './models.ts';
import { type Abilities, type Change, type DataWorld, type Part, parts } from './world.ts';

/** What a vendor can do, with the defaults. */
export const abilitiesOf = ({
  can = {},
}: DataWorld): Abilities & {
  replaces: Record<Part, Change | null>;
  changes: Record<Part, Change>;
} => {
  const keeps = can.keeps ?? {};
  return {
    has: can.has ?? parts,
    keeps,
    restores: can.restores ?? parts.filter((part) => keeps[part] !== undefined),
    growsDisks: can.growsDisks ?? true,
    filesOutliveServers: can.filesOutliveServers ?? true,
    showsUnfinished: can.showsUnfinished ?? true,
    removesFirst: can.removesFirst ?? false,
    replaces: { ...replacing, ...can.replaces },
    changes: { ...changing, ...can.changes },
  };
};

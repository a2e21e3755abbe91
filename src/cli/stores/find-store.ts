import { CliError, wrongUsage } from '../cli-error.ts';
import type { System } from '../system.ts';
import { Output } from '../view/output.ts';
import { isInstalled } from './helper-program.ts';
import { Keychain } from './keychain.ts';
import { Pass } from './pass.ts';
import { ProfileStore } from './profile-store.ts';
import { SecretService } from './secret-service.ts';
import type { CredentialStore, Locker } from './store.ts';
import { Wincred } from './wincred.ts';

const kinds: Readonly<Record<string, (system: System) => Locker>> = {
  keychain: (system) => new Keychain(system),
  wincred: (system) => new Wincred(system),
  'secret-service': (system) => new SecretService(system),
  pass: (system) => new Pass(system),
};

/** Which are looked for where nobody named one, best first. */
const usualKinds = (platform: NodeJS.Platform): string[] => {
  if (platform === 'darwin') return ['keychain', 'pass'];
  return platform === 'win32' ? ['wincred'] : ['secret-service', 'pass'];
};

export interface Found {
  store: CredentialStore | null;
  /** Whether the user wants this one and no other. */
  isNamed: boolean;
  /** Those that are there but do not work, with the reason. */
  unusable: readonly string[];
}

const whyNot = async (locker: Locker): Promise<string | null> => {
  try {
    return await locker.whyNot();
  } catch (error) {
    if (error instanceof CliError && error.ending !== 'interrupted') return error.message;
    throw error;
  }
};

async function namedStore(system: System, word: string): Promise<Found> {
  const make = kinds[word];
  if (!make)
    throw wrongUsage(
      `ALM_CREDENTIAL_STORE cannot be "${word}".`,
      `It may be: auto, none, ${Object.keys(kinds).join(', ')}`,
    );
  const locker = make(system);
  const why = isInstalled(system, locker.program)
    ? await whyNot(locker)
    : `there is no program ${locker.program} on the PATH`;
  if (why === null) return { store: new ProfileStore(locker), isNamed: true, unusable: [] };
  throw new CliError('refused', `ALM_CREDENTIAL_STORE names ${locker.name}, but it cannot be used: ${why}.`, {
    hints: ['Without it: ALM_CREDENTIAL_STORE=none'],
  });
}

/** One that nobody named may fail to open: then it is as if it were not there, but the user is told. */
const forgiving = (store: CredentialStore, system: System): CredentialStore => ({
  name: store.name,
  write: (profile, kept) => store.write(profile, kept),
  replace: (profile, kept) => store.replace(profile, kept),
  delete: (profile) => store.delete(profile),
  read: async (profile) => {
    try {
      return await store.read(profile);
    } catch (error) {
      if (!(error instanceof CliError) || error.ending === 'interrupted') throw error;
      const out = new Output(system, { format: 'raw', indent: 2, file: undefined });
      out.warn(error.message);
      for (const line of error.lines) out.more(line);
      return null;
    }
  },
});

/** Looks for the store to use, and says what stands in the way of others. */
export async function lookForStore(system: System): Promise<Found> {
  const word = system.env.ALM_CREDENTIAL_STORE || 'auto';
  if (word === 'none') return { store: null, isNamed: true, unusable: [] };
  if (word !== 'auto') return namedStore(system, word);
  const unusable: string[] = [];
  for (const kind of usualKinds(system.platform)) {
    const locker = kinds[kind]?.(system);
    if (!locker || !isInstalled(system, locker.program)) continue;
    const why = await whyNot(locker);
    if (why === null) return { store: forgiving(new ProfileStore(locker), system), isNamed: false, unusable };
    unusable.push(`${locker.name} is not used: ${why}`);
  }
  return { store: null, isNamed: false, unusable };
}

/** The native store of this machine, where there is one that works. */
export const findStore = async (system: System): Promise<CredentialStore | null> =>
  (await lookForStore(system)).store;

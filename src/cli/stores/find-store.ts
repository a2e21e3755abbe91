import { CliError, usageError } from '../cli-error.ts';
import type { System } from '../system.ts';
import { Output } from '../view/output.ts';
import { isInstalled, withoutStoreHint } from './helper-program.ts';
import { Keychain } from './keychain.ts';
import { Pass } from './pass.ts';
import { ProfileStore } from './profile-store.ts';
import { SecretService } from './secret-service.ts';
import type { CredentialStore, SecretBackend } from './store.ts';
import { Wincred } from './wincred.ts';

const backends: Readonly<Record<string, (system: System) => SecretBackend>> = {
  keychain: (system) => new Keychain(system),
  wincred: (system) => new Wincred(system),
  'secret-service': (system) => new SecretService(system),
  pass: (system) => new Pass(system),
};

/** Backends to try if none is configured, best first. */
const defaultBackends = (platform: NodeJS.Platform): string[] => {
  if (platform === 'darwin') return ['keychain', 'pass'];
  return platform === 'win32' ? ['wincred'] : ['secret-service', 'pass'];
};

export interface DetectedStore {
  store: CredentialStore | null;
  /** Whether ALM_CREDENTIAL_STORE names it. */
  isNamed: boolean;
  /** Backends that are installed but do not work, with the reason. */
  unusable: readonly string[];
}

const unavailableReason = async (backend: SecretBackend): Promise<string | null> => {
  try {
    return await backend.unavailableReason();
  } catch (error) {
    if (error instanceof CliError && error.exitReason !== 'interrupted') return error.message;
    throw error;
  }
};

async function namedStore(system: System, name: string): Promise<DetectedStore> {
  const make = backends[name];
  if (!make)
    throw usageError(
      `Invalid value for ALM_CREDENTIAL_STORE: "${name}".`,
      `Valid values: auto, none, ${Object.keys(backends).join(', ')}`,
    );
  const backend = make(system);
  const reason = isInstalled(system, backend.program)
    ? await unavailableReason(backend)
    : `program ${backend.program} not found in PATH`;
  if (reason === null) return { store: new ProfileStore(backend), isNamed: true, unusable: [] };
  throw new CliError('refused', `Cannot use ${backend.name}, set by ALM_CREDENTIAL_STORE: ${reason}.`, {
    hints: [withoutStoreHint],
  });
}

/** Wraps a detected store: if it cannot be read, warns and continues without it. */
const tolerant = (store: CredentialStore, system: System): CredentialStore => ({
  name: store.name,
  write: (profile, login) => store.write(profile, login),
  replace: (profile, login) => store.replace(profile, login),
  delete: (profile) => store.delete(profile),
  read: async (profile) => {
    try {
      return await store.read(profile);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitReason === 'interrupted') throw error;
      const out = new Output(system, { format: 'raw', indent: 2, file: undefined });
      out.warn(error.message);
      for (const line of error.lines) out.more(line);
      return null;
    }
  },
});

/** Finds the store to use, and the reasons why others cannot be used. */
export async function detectStore(system: System): Promise<DetectedStore> {
  const setting = system.env.ALM_CREDENTIAL_STORE || 'auto';
  if (setting === 'none') return { store: null, isNamed: true, unusable: [] };
  if (setting !== 'auto') return namedStore(system, setting);
  const unusable: string[] = [];
  for (const name of defaultBackends(system.platform)) {
    const backend = backends[name]?.(system);
    if (!backend || !isInstalled(system, backend.program)) continue;
    const reason = await unavailableReason(backend);
    if (reason === null)
      return { store: tolerant(new ProfileStore(backend), system), isNamed: false, unusable };
    unusable.push(`${backend.name} cannot be used: ${reason}`);
  }
  return { store: null, isNamed: false, unusable };
}

/** The native credential store of this machine, if there is one that works. */
export const findStore = async (system: System): Promise<CredentialStore | null> =>
  (await detectStore(system)).store;

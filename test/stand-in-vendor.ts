import type { Service } from '../src/operations/service.ts';
import { CredentialRejected, type Driver, Unreachable, type Vendor } from '../src/vendors/vendor.ts';

/** Puts another vendor in the place of the sandbox: the sandbox with changes, as a cloud with other abilities. */
export function changeSandbox(
  { vendors }: Pick<Service, 'vendors'>,
  changes: Partial<Vendor>,
  changeDriver: (driver: Driver) => Partial<Driver> = () => ({}),
): void {
  const sandbox = vendors.get('sandbox');
  if (!sandbox) throw new Error('There is always a sandbox.');
  const connect: Vendor['connect'] = (access) => {
    const driver = sandbox.connect(access);
    return { ...driver, ...changeDriver(driver) };
  };
  (vendors as Map<string, Vendor>).set('sandbox', { ...sandbox, connect, ...changes });
}

/** A cloud that makes no key pairs, as OpenStack. Remembers the public keys of each apply, by stack. */
export function withoutKeyPairs(service: Pick<Service, 'vendors'>): Map<string, Record<string, string>[]> {
  const received = new Map<string, Record<string, string>[]>();
  changeSandbox(service, { needsPublicKeys: true }, (driver) => ({
    readPrivateKey: undefined as never,
    apply: (stack, request) => {
      const keys = Object.fromEntries(request.publicKeys ?? []);
      received.set(stack.id, [...(received.get(stack.id) ?? []), keys]);
      return driver.apply(stack, request);
    },
  }));
  return received;
}

/** A cloud whose operations wait for the agents of new servers, as OpenStack. */
export class WaitingCloud {
  /** The servers of each report, as the cloud received them. */
  readonly reports: string[][] = [];
  /** How many reports are lost on the way. */
  lost = 0;
  /** Why the cloud accepts no report. */
  denial: string | undefined;
  /** Calls, also those without success. */
  calls = 0;
  #busy = true;

  constructor(service: Pick<Service, 'vendors'>) {
    changeSandbox(service, { awaitsAgents: true }, (driver) => ({
      observe: async (stack) => {
        const seen = await driver.observe(stack);
        if (seen.kind !== 'settled' || !this.#busy) return seen;
        return { kind: 'busy', doing: 'apply', version: seen.version, lookAgainMs: 30_000, view: seen.view };
      },
      reportUp: async (_stack, servers) => {
        this.calls += 1;
        if (this.denial !== undefined) throw new CredentialRejected(this.denial);
        if (this.lost > 0) {
          this.lost -= 1;
          throw new Unreachable('The network is down.');
        }
        this.reports.push(servers.map(({ flag, instanceId }) => `${flag} ${instanceId}`));
        this.#busy = false;
        return true;
      },
    }));
  }

  /** Another operation waits from now on. */
  wait(): void {
    this.#busy = true;
  }
}

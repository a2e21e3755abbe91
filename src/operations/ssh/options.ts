import { type Dial, dialTcp } from '../../ssh/dial.ts';

/** Settings of ssh connections that the operator, or a test, may override. */
export interface SshOptions {
  dial?: Dial;
  port?: number;
  /** Timeout of connecting and signing in together. */
  connectSeconds?: number;
  /** A terminal without input and output ends after this. */
  idleSeconds?: number;
  /** Every terminal ends after this. */
  maxSeconds?: number;
  /** Interval at which the permission to keep a terminal open is checked. */
  recheckSeconds?: number;
  /** Open terminals and commands of one user on this server. */
  maxConnections?: number;
}

const defaults: Required<SshOptions> = {
  dial: dialTcp,
  port: 22,
  connectSeconds: 15,
  idleSeconds: 7200,
  maxSeconds: 43_200,
  recheckSeconds: 60,
  maxConnections: 20,
};

export const sshOptions = (service: { ssh?: SshOptions }): Required<SshOptions> => ({
  ...defaults,
  ...service.ssh,
});

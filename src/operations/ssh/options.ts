import { type Dial, dialTcp } from '../../ssh/dial.ts';

/** Everything about ssh that whoever runs the service, or a test, may want otherwise. */
export interface SshOptions {
  dial?: Dial;
  port?: number;
  /** For the connection and the sign-in together. */
  connectSeconds?: number;
  /** A terminal in which nothing is typed or shown for this long ends. */
  idleSeconds?: number;
  /** And every terminal ends after this. */
  longestSeconds?: number;
  /** How often it is asked whether whoever opened a terminal still may. */
  recheckSeconds?: number;
  /** Terminals and commands of one user on this server at a time. */
  maxAtOnce?: number;
}

const usual: Required<SshOptions> = {
  dial: dialTcp,
  port: 22,
  connectSeconds: 15,
  idleSeconds: 7200,
  longestSeconds: 43_200,
  recheckSeconds: 60,
  maxAtOnce: 20,
};

export const sshOptions = (service: { ssh?: SshOptions }): Required<SshOptions> => ({
  ...usual,
  ...service.ssh,
});

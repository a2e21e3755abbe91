/** Settings of the docker vendor; part of the settings in `config.ts`. */
export const dockerSettings = {
  ALM_DOCKER_SOCKET: [
    '/var/run/docker.sock',
    'container engine socket of the docker vendor; the vendor is available if this is set or the file exists',
  ],
  ALM_DOCKER_ACCOUNTS: [
    '',
    'account ids that may use the docker vendor, separated by commas, or *; default: only the first account',
  ],
  ALM_DOCKER_IMAGES: ['almanac/', 'image name prefix of the docker vendor'],
  ALM_DOCKER_PUBLISH: ['127.0.0.1', 'address that load balancers of the docker vendor listen on'],
  ALM_DOCKER_KEEP_DAYS: [
    '30',
    'days that volumes of removed databases, Redis caches and shared files are kept by the docker vendor; 0: for ever',
  ],
} as const satisfies Record<string, readonly [string, string]>;

type DockerSetting = keyof typeof dockerSettings;

export interface DockerConfig {
  socket: string;
  /** The socket is set explicitly: the vendor is available even while the file does not exist. */
  wanted: boolean;
  /** Accounts that may use it; `*`: all; empty: only the first account. */
  accounts: readonly string[];
  imagePrefix: string;
  publishAddress: string;
  /** 0: for ever. */
  keepDays: number;
}

interface Readers {
  read: (name: DockerSetting) => string;
  number: (name: DockerSetting, min: number, max: number) => number;
  names: (text: string) => string[];
}

export const readDocker = ({ read, number, names }: Readers, isSet: boolean): DockerConfig => ({
  socket: read('ALM_DOCKER_SOCKET').replace(/^unix:\/\//, ''),
  wanted: isSet,
  accounts: names(read('ALM_DOCKER_ACCOUNTS')),
  imagePrefix: read('ALM_DOCKER_IMAGES'),
  publishAddress: read('ALM_DOCKER_PUBLISH'),
  keepDays: number('ALM_DOCKER_KEEP_DAYS', 0, 36_500),
});

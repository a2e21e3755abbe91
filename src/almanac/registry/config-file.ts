import type { Secret } from '../../basics/secret.ts';

export interface RegistryFile {
  /** Directory of the images. */
  storage: string;
  /** The address that the registry listens on, such as `127.0.0.1:5000`. */
  address: string;
  /** File with the certificates. */
  bundle: string;
  service: string;
  issuer: string;
  /** URL of Almanac, as clients and the registry reach it. */
  almanacUrl: string;
  /** Shared by all registries behind one address. */
  httpSecret: Secret;
  notificationSecret: Secret;
}

/** A quoted text of JSON is one of YAML too. */
const quoted = JSON.stringify;

const head = `# Configuration of a container registry whose tokens come from Almanac. Start it with:
#   docker-registry serve <this file>
# It contains secrets: only the registry may read it.
version: 0.1
log:
  level: info
  accesslog:
    disabled: true
`;

const storageSection = ({ storage }: RegistryFile): string => `storage:
  filesystem:
    rootdirectory: ${quoted(storage)}
  cache:
    blobdescriptor: inmemory
  # Deleting an image needs it. Space is freed by: docker-registry garbage-collect <this file>
  delete:
    enabled: true
`;

const httpSection = ({ address, httpSecret }: RegistryFile): string => `http:
  addr: ${quoted(address)}
  secret: ${quoted(httpSecret.reveal())}
  headers:
    X-Content-Type-Options: [nosniff]
`;

const authSection = ({ almanacUrl, service, issuer, bundle }: RegistryFile): string => `auth:
  token:
    # Clients ask here for tokens, so they must reach it. ALM_BASE_URL sets it.
    realm: ${quoted(`${almanacUrl}/v3/docker/token`)}
    service: ${quoted(service)}
    issuer: ${quoted(issuer)}
    # Read at the start of the registry only.
    rootcertbundle: ${quoted(bundle)}
`;

const notificationSection = ({ almanacUrl, notificationSecret }: RegistryFile): string => `notifications:
  events:
    includereferences: false
  endpoints:
    - name: almanac
      url: ${quoted(`${almanacUrl}/v3/docker/notifications`)}
      headers:
        Authorization: [${quoted(`Bearer ${notificationSecret.reveal()}`)}]
      timeout: 5s
      threshold: 5
      backoff: 5s
      # Layers: only manifests matter.
      ignoredmediatypes:
        - application/octet-stream
`;

const healthSection = `health:
  storagedriver:
    enabled: true
    interval: 10s
    threshold: 3
`;

/** A complete configuration of the CNCF distribution, for versions 2 and 3. */
export const registryFile = (parts: RegistryFile): string =>
  [
    head,
    storageSection(parts),
    httpSection(parts),
    authSection(parts),
    notificationSection(parts),
    healthSection,
  ].join('');

import { digestOf, mediaTypes } from './image-layout.ts';
import type { RegistryRequest } from './registry-caller.ts';

/** A request of the OCI distribution specification. */
export interface Step {
  title: string;
  method: string;
  /** From the address of the last upload. */
  path: (upload: URL) => string;
  request: RegistryRequest;
  /** The statuses that the specification allows. */
  allowed: readonly number[];
}

const step = (
  [title, method, path]: readonly [string, string, Step['path'] | string],
  allowed: Step['allowed'],
  request: RegistryRequest = {},
): Step => ({ title, method, path: typeof path === 'string' ? () => path : path, allowed, request });

const blob = 'content of a blob in two chunks.';
const config = JSON.stringify({
  architecture: 'amd64',
  os: 'linux',
  rootfs: { type: 'layers', diff_ids: [] },
});
const partOf = (content: string, mediaType: string) => ({
  mediaType,
  digest: digestOf(content),
  size: content.length,
});
const manifestOf = (layer: string): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: partOf(config, mediaTypes.config),
    layers: [partOf(layer, mediaTypes.layer)],
  });
const manifest = manifestOf(blob);
const manifests = [partOf(manifest, mediaTypes.manifest)];
const index = JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests });
const bytes = { 'content-type': 'application/octet-stream' };

const same: Step['path'] = ({ href }) => href;
const finishedBy =
  (content: string): Step['path'] =>
  (upload) => {
    const url = new URL(upload);
    url.searchParams.set('digest', digestOf(content));
    return url.href;
  };

const start = (name: string): Step => step(['start an upload', 'POST', `/v2/${name}/blobs/uploads/`], [202]);

const sendHalf = (title: string, number: 0 | 1, allowed: number[]): Step => {
  const from = (number * blob.length) / 2;
  const body = blob.slice(from, from + blob.length / 2);
  const headers = { ...bytes, 'content-range': `${from}-${from + body.length - 1}` };
  return step([title, 'PATCH', same], allowed, { headers, body });
};

const uploads = (name: string): Step[] => [
  start(name),
  step(['finish an upload', 'PUT', finishedBy(config)], [201], { headers: bytes, body: config }),
  start(name),
  step(['finish with a wrong digest', 'PUT', finishedBy('other')], [400], { headers: bytes, body: blob }),
  start(name),
  sendHalf('send the first chunk', 0, [202]),
  step(['ask for the state of an upload', 'GET', same], [204]),
  sendHalf('send the second chunk', 1, [202]),
  step(['finish the chunks', 'PUT', finishedBy(blob)], [201]),
  start(name),
  sendHalf('send the second chunk first', 1, [416]),
  step(['cancel an upload', 'DELETE', same], [204]),
];

const blobs = (name: string, other: string): Step[] => {
  const mount = (content: string) =>
    `/v2/${other}/blobs/uploads/?mount=${digestOf(content)}&from=${encodeURIComponent(name)}`;
  const path = `/v2/${name}/blobs/${digestOf(blob)}`;
  return [
    step(['read a blob', 'GET', path], [200]),
    step(['read a part of a blob', 'GET', path], [206], { headers: { range: 'bytes=2-5' } }),
    step(['mount a blob', 'POST', mount(blob)], [201]),
    step(['read a mounted blob', 'GET', `/v2/${other}/blobs/${digestOf(blob)}`], [200]),
    step(['mount an unknown blob', 'POST', mount('unknown')], [202]),
  ];
};

const pushes = (name: string): Step[] => {
  const put = ([title, reference, mediaType]: [string, string, string], body: string, allowed: number[]) =>
    step([title, 'PUT', `/v2/${name}/manifests/${reference}`], allowed, {
      headers: { 'content-type': mediaType },
      body,
    });
  const { manifest: type } = mediaTypes;
  return [
    put(['push a manifest without its blob', 'bad', type], manifestOf('not pushed'), [400, 404]),
    put(['push an invalid manifest', 'bad', type], '{', [400]),
    put(['push a manifest', 'one', type], manifest, [201]),
    put(['push it with another tag', 'two', type], manifest, [201]),
    put(['push a manifest by digest', digestOf(manifest), type], manifest, [201]),
    put(['push an index', 'many', mediaTypes.index], index, [201]),
  ];
};

const reads = (name: string): Step[] => [
  step(['ask for a manifest by tag', 'HEAD', `/v2/${name}/manifests/one`], [200]),
  step(['read a manifest by tag', 'GET', `/v2/${name}/manifests/one`], [200]),
  step(['read a manifest by digest', 'GET', `/v2/${name}/manifests/${digestOf(manifest)}`], [200]),
  step(['read an index', 'GET', `/v2/${name}/manifests/many`], [200]),
  step(['list tags', 'GET', `/v2/${name}/tags/list`], [200]),
  step(['list referrers', 'GET', `/v2/${name}/referrers/${digestOf(manifest)}`], [200]),
];

const deletions = (name: string): Step[] => {
  const at = `/v2/${name}/manifests`;
  const blobPath = `/v2/${name}/blobs/${digestOf(blob)}`;
  return [
    step(['delete a tag', 'DELETE', `${at}/two`], [202]),
    step(['delete an index', 'DELETE', `${at}/${digestOf(index)}`], [202]),
    step(['delete a manifest', 'DELETE', `${at}/${digestOf(manifest)}`], [202]),
    step(['read a deleted manifest', 'GET', `${at}/${digestOf(manifest)}`], [404]),
    step(['read a tag of a deleted manifest', 'GET', `${at}/one`], [404]),
    step(['delete a blob', 'DELETE', blobPath], [202]),
    step(['read a deleted blob', 'GET', blobPath], [404]),
  ];
};

/** Requests of all four categories of the specification, in the order in which they are sent, for two repositories. */
export const protocolSteps = (name: string, other: string): Step[] => [
  step(['ask for the version of the API', 'GET', '/v2/'], [200]),
  step(['ask for an unknown blob', 'HEAD', `/v2/${name}/blobs/${digestOf(blob)}`], [404]),
  step(['read an unknown manifest', 'GET', `/v2/${name}/manifests/unknown`], [404]),
  ...uploads(name),
  ...blobs(name, other),
  ...pushes(name),
  ...reads(name),
  ...deletions(name),
];

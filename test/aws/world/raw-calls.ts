/** Calls of services that Almanac itself never uses, so that it has no client for them. */

export interface Place {
  url: string;
  region: string;
}

/** Simulators do not check signatures by default; the header selects the service. */
const signed = (service: string, region: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=AKIAOBSERVER/20300101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

export async function callIam(
  { url }: Place,
  action: string,
  input: Record<string, string>,
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: signed('iam', 'us-east-1'),
    body: new URLSearchParams({ Action: action, Version: '2010-05-08', ...input }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${action} failed: ${text}`);
  return text;
}

/** Values of all elements with this name. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) => value);

const listAll = async (place: Place, action: string, element: string): Promise<string[]> =>
  elements(await callIam(place, action, { MaxItems: '1000' }), element).toSorted();

export const listRoles = (place: Place): Promise<string[]> => listAll(place, 'ListRoles', 'RoleName');
export const listInstanceProfiles = (place: Place): Promise<string[]> =>
  listAll(place, 'ListInstanceProfiles', 'InstanceProfileName');

export async function listFileSystems({ url, region }: Place): Promise<string[]> {
  const response = await fetch(`${url}/2015-02-01/file-systems`, {
    headers: { ...signed('elasticfilesystem', region), host: `elasticfilesystem.${region}.amazonaws.com` },
  });
  const { FileSystems } = (await response.json()) as { FileSystems: { FileSystemId: string }[] };
  return FileSystems.map(({ FileSystemId }) => FileSystemId).toSorted();
}

/** Sends an event of CloudFormation to EventBridge, in the form that the AWS documentation shows. Only AWS itself can do so there. */
export async function putStackEvent(
  { url, region }: Place,
  { arn, status }: { arn: string; status: string },
): Promise<void> {
  const entry = {
    Source: 'aws.cloudformation',
    DetailType: 'CloudFormation Stack Status Change',
    Resources: [arn],
    Detail: JSON.stringify({ 'stack-id': arn, 'status-details': { status, 'status-reason': '' } }),
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...signed('events', region),
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
    },
    body: JSON.stringify({ Entries: [entry] }),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"FailedEntryCount": 0')) throw new Error(`PutEvents failed: ${text}`);
}

/** Switches checks of keys, signatures and permissions in moto on or off. */
export async function checkPermissions({ url }: { url: string }, isOn: boolean): Promise<void> {
  const response = await fetch(`${url}/moto-api/reset-auth`, { method: 'POST', body: isOn ? '0' : 'inf' });
  if (!response.ok) throw new Error(await response.text());
}

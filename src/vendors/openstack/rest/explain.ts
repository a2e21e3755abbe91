/** Names of limits in the words of their services, and in plain ones. */
const limits: Readonly<Record<string, string>> = {
  network: 'networks',
  subnet: 'subnets',
  port: 'ports',
  router: 'routers',
  floatingip: 'floating IP addresses',
  security_group: 'security groups',
  security_group_rule: 'security group rules',
  cores: 'CPU cores',
  ram: 'memory',
  instances: 'servers',
  key_pairs: 'key pairs',
  server_group_members: 'members of server groups',
  gigabytes: 'gigabytes of volumes',
  load_balancer: 'load balancers',
};

const limitName = (word: string): string => limits[word] ?? word.replaceAll('_', ' ');

/** Neutron, Nova, Octavia, Trove: `Quota exceeded for resources: ['network']`, `… for cores: Requested 2`. */
const quota = /Quota exceeded for (?:resources?: ?)?\[?'?(\w+)/i;
/** Cinder: `Maximum number of volumes allowed (10) exceeded`. */
const maximum = /Maximum number of (\w+) allowed/;
const gigabytes = /exceeds? allowed gigabytes quota|VolumeSizeExceedsAvailableQuota/i;

function limitIn(reason: string): string | undefined {
  if (gigabytes.test(reason)) return limitName('gigabytes');
  const word = (quota.exec(reason) ?? maximum.exec(reason))?.[1];
  return word && limitName(word);
}

/** Ids that only the operator of the cloud can look up make every reason different. */
const requestIds =
  /\s*Neutron server returns request_ids: \[[^\]]*\]|\s*\((?:HTTP \d{3}|Request-ID: [\w-]+)\)|\s*\(HTTP \d{3}\) \(Request-ID: [^)]*\)/g;

const tidy = (reason: string): string =>
  reason.replaceAll(requestIds, '').replaceAll(/\s+/g, ' ').trim().slice(0, 1000);

/** The reason of a failure as a sentence for the user, with what to do where that is known. */
export function explain(reason: string): string {
  const text = tidy(reason);
  const limit = limitIn(text);
  if (limit)
    return `The project has reached its limit of ${limit}. Ask for more, or delete a stack. (${text})`;
  if (/ResourceActionRestricted/.test(text))
    return `The cloud would have replaced a resource by an empty one, and its data would have been lost, so the update was stopped. Update the stack again; if it needs the replacement, confirm it with data=delete. (${text})`;
  if (/No valid host was found/.test(text))
    return `The cloud has no room for a server of this flavor. Use another flavor or zone, or try again later. (${text})`;
  if (/\b(HTTP)?Unauthorized: resources\./.test(text))
    return `The token expired while the cloud worked on the stack. Update the stack to continue. (${text})`;
  if (/(^|: )Timed out$/.test(text))
    return `The cloud did not finish the stack before its time limit, which is a little shorter than the life of a token. Update the stack to continue. (${text})`;
  return text;
}

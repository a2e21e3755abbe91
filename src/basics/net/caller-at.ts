const groupsOf = (text: string): string[] =>
  text
    .split(':')
    .filter(Boolean)
    .map((group) => Number.parseInt(group, 16).toString(16));

/**
 * Who is behind an IP address. An IPv6 host can use a whole /64 network, so all of it counts as one caller; an IPv4 address is the
 * same caller in both notations.
 */
export const callerAt = (address: string): string => {
  if (address.includes('.')) return address.replace(/^::ffff:/i, '');
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const [start, end] = [groupsOf(head), groupsOf(tail)];
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0')
    : [];
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
};

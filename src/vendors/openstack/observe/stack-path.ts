/** A stack of Heat, also a nested one. By name or id alone, Heat answers with a redirect. */
export const pathOf = ({ stackId, heatId }: { stackId: string; heatId: string }): string =>
  `/stacks/${encodeURIComponent(stackId)}/${heatId}`;

/** The path in a link of Heat to a stack. Names and ids have no slash. */
export const pathInLink = (href: string): string => /\/stacks\/[^/?]+\/[^/?]+/.exec(href)?.[0] ?? '';

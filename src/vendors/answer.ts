/** `refused`: the vendor rejected the request and nothing started. Connection errors are thrown instead. */
export type Answer =
  /** `note`: what the step means beyond the request, as a sentence for the events. */
  { accepted: true; note?: string } | { accepted: false; reason: string };
export const accepted: Answer = { accepted: true };
export const refused = (reason: string): Answer => ({ accepted: false, reason });

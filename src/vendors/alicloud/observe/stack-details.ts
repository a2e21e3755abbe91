/** What ROS shows of a single stack only. */
export interface StackDetails {
  rosId: string;
  state: string;
  outputs: ReadonlyMap<string, { value: string; description: string }>;
  /** The version parameter as stored, with its mark. */
  rawVersion: string;
}

import type { LogLine } from '../basics/text/log-line.ts';
import type { StackOnVendor } from './stack-on-vendor.ts';

/** Which lines of one instance are asked for. */
export interface VendorLogRequest {
  instanceId: string;
  /** The last lines of each container and of the agent. */
  lines: number;
  /** Only lines after this time; null: of any time. */
  since: string | null;
}

/** Logs that the cloud has itself. Other vendors have agents on their instances, which send them. */
export interface LogDriver {
  /** In the order of time. */
  readLogs?(stack: StackOnVendor, request: VendorLogRequest): Promise<readonly LogLine[]>;
}

import type { AppFault } from '../model/app-fault.ts';

/** A failure that is injected into a simulated cloud on request. */
export type Fault =
  | { kind: 'fail_resource'; position: number; reason?: string }
  | { kind: 'unreachable'; seconds: number }
  | { kind: 'spot_notice'; instanceId?: string }
  | { kind: 'share_resource'; resource?: string; withStack: string }
  | { kind: 'fail_app'; mode: AppFault; image?: string; reason?: string }
  | { kind: 'clear' };

/** An injected fault that still waits or lasts. `stackId` null: the next stack, or all of them. */
export type FaultInForce =
  | { kind: 'fail_resource'; stackId: string | null; position: number; reason: string }
  | { kind: 'unreachable'; stackId: string | null; until: number }
  | { kind: 'share_resource'; stackId: string; resource: string; withStack: string }
  | { kind: 'fail_app'; stackId: string | null; mode: AppFault; image: string };

import type { StackStatus } from '../../../src/model/status.ts';

interface AcceptedVersion {
  versionId: string;
  servers: number;
}

/** What the service acknowledged about one stack, in order. */
export class AcknowledgedStack {
  readonly nickname: string;
  readonly region: string;
  stackId = '';
  readonly versions: AcceptedVersion[] = [];
  /** The version that the last accepted request asks for. */
  desired = '';
  isDeleted = false;

  constructor(nickname: string, region: string) {
    this.nickname = nickname;
    this.region = region;
  }

  accept(version: AcceptedVersion): void {
    this.versions.push(version);
    this.desired = version.versionId;
  }

  get servers(): number {
    return this.versions.find(({ versionId }) => versionId === this.desired)?.servers ?? 0;
  }

  /** Status values of the stack when everything asked for is done. */
  get finalStatuses(): readonly StackStatus[] {
    if (this.isDeleted) return ['DELETE_COMPLETE'];
    return this.versions.length === 1 ? ['CREATE_COMPLETE'] : ['CREATE_COMPLETE', 'UPDATE_COMPLETE'];
  }
}

/** What the service acknowledged to all callers. */
export class Ledger {
  readonly stacks: AcknowledgedStack[] = [];
  /** Ids of the requests whose change was acknowledged. */
  readonly requestIds: string[] = [];
  readonly counts = new Map<string, number>();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  get living(): AcknowledgedStack[] {
    return this.stacks.filter(({ isDeleted }) => !isDeleted);
  }
}

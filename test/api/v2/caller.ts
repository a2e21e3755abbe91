import { expect } from 'vitest';
import type { Answer, Json, ServedAlmanac } from '../served-almanac.ts';

export const balanced = {
  architecture: 'art_elb',
  type: 't2.micro',
  image: 'library/nginx',
  min: 2,
  max: 4,
  spotRange: 50,
};

export const createBody = (configurations: unknown, more: object = {}) => ({
  cred: 'SANDBOX',
  region: 'ap-northeast-1',
  configurations,
  ...more,
});

/** Calls v2 as the API client of the account. */
export class V2Caller {
  private readonly almanac: ServedAlmanac;
  readonly token: string;

  private constructor(almanac: ServedAlmanac, token: string) {
    this.almanac = almanac;
    this.token = token;
  }

  static async of(almanac: ServedAlmanac): Promise<V2Caller> {
    return new V2Caller(almanac, await almanac.clientToken());
  }

  create = (configurations: unknown, more: object = {}): Promise<Answer<Json>> =>
    this.almanac.call('POST', '/v2/alm/stack', { token: this.token, json: createBody(configurations, more) });

  update = (stackId: string, configurations: unknown): Promise<Answer<Json>> =>
    this.almanac.call('PUT', `/v2/alm/stack/${stackId}`, { token: this.token, json: { configurations } });

  delete = (stackId: string): Promise<Answer<Json>> =>
    this.almanac.call('DELETE', `/v2/alm/stack/${stackId}?servers=replace`, { token: this.token });

  async settled(configurations: unknown): Promise<string> {
    const answer = await this.create(configurations);
    expect(answer.status).toBe(200);
    return this.waitFor(String(answer.body.stack_id), 'CREATE_COMPLETE');
  }

  async waitFor(stackId: string, status: string): Promise<string> {
    const statusNow = async () => (await this.describe(stackId)).stack_status;
    await expect.poll(statusNow, { interval: 20 }).toBe(status);
    return stackId;
  }

  async describe(stackId: string, token = this.token): Promise<Json> {
    const answer = await this.almanac.call<Json[]>('GET', `/v2/alm/stack/${stackId}`, { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(1);
    return answer.body[0] as Json;
  }
}

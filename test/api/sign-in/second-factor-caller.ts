import { codeAt, stepOf } from '../../../src/operations/sign-in/totp.ts';
import type { AccessCaller, MadeUser } from '../access/access-caller.ts';
import type { Answer, Json, ServedAlmanac } from '../served-almanac.ts';

export interface Enrolled extends MadeUser {
  secret: string;
  recoveryCodes: string[];
}

/** Enrols users and signs them in with codes. */
export class SecondFactors {
  private readonly almanac: ServedAlmanac;
  private readonly caller: AccessCaller;

  constructor(almanac: ServedAlmanac, caller: AccessCaller) {
    this.almanac = almanac;
    this.caller = caller;
  }

  post = (path: string, token: string, json: object): Promise<Answer<Json>> =>
    this.caller.call('POST', `/v3/second_factor${path}`, { token, json });

  signIn = ({ username, password }: MadeUser, otp?: string): Promise<Answer<Json>> =>
    this.caller.signIn(username, password, otp === undefined ? {} : { otp });

  /** The code of a step around now; each step is accepted once. */
  codeOf = ({ secret }: { secret: string }, steps = 0): string =>
    codeAt(secret, stepOf(this.almanac.service.clock.now()) + steps);

  /** Returns the secret of an enrolment that is not confirmed. */
  async begin({ token, password }: Pick<MadeUser, 'token' | 'password'>): Promise<{ secret: string }> {
    const begun = await this.post('', token, { current_password: password });
    if (begun.status !== 200) throw new Error(`Not begun: ${begun.text}`);
    return { secret: String(begun.body.secret) };
  }

  async enrol(username: string): Promise<Enrolled> {
    const user = await this.caller.makeUser(username);
    const { secret } = await this.begin(user);
    const confirmed = await this.post('/confirm', user.token, { otp: this.codeOf({ secret }) });
    if (confirmed.status !== 200) throw new Error(`Not enrolled: ${confirmed.text}`);
    await this.forgetSteps(user);
    return { ...user, secret, recoveryCodes: confirmed.body.recovery_codes as string[] };
  }

  /** As if the last code had been used long ago. */
  private forgetSteps = ({ userId }: MadeUser) =>
    this.almanac.service.database.query
      .updateTable('second_factors')
      .set({ last_step: -1 })
      .where('user_id', '=', userId)
      .execute();
}

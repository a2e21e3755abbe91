import { Unreachable } from '../vendor.ts';
import { ask, errorName, sentenceOf } from './errors.ts';

/** A refusal that is as good as what was asked for: by AWS's name for it and, where that says little, its words. */
export interface Fine {
  name: RegExp;
  words?: RegExp;
}

/** Asks AWS; undefined where it refuses in a way that is fine. Every other refusal comes through. */
export async function tolerate<T>({ name, words }: Fine, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask(call);
  } catch (cause) {
    const isFine = name.test(errorName(cause)) && (!words || words.test(sentenceOf(cause)));
    if (cause instanceof Unreachable || !isFine) throw cause;
    return undefined;
  }
}

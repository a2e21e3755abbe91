import type { StackOnVendor, VendorDocument } from '../../../src/vendors/vendor.ts';
import { cacheModel, databaseModel, fullModel, plainModel } from './full-model.ts';
import { type AwsWorld, agentToken, newStack } from './world.ts';

/** A stack of each kind, made with all permissions. Steps that delete a stack make their own. */
export interface Stacks {
  full: MadeStack;
  plain: MadeStack;
  database: MadeStack;
  cache: MadeStack;
}

export interface MadeStack {
  stack: StackOnVendor;
  document: VendorDocument;
}

export interface Subject {
  /** The key with the policy under test. */
  user: AwsWorld;
  /** A key with all permissions. */
  admin: AwsWorld;
  stacks: Stacks;
}

export async function make(admin: AwsWorld, model: ReturnType<typeof plainModel>): Promise<MadeStack> {
  const stack = newStack();
  const document = await admin.compiled(stack, model);
  await admin.driver.apply(stack, { document, version: 'v1', agentToken });
  await admin.passAll();
  return { stack, document };
}

export const makeStacks = async (admin: AwsWorld): Promise<Stacks> => ({
  full: await make(admin, fullModel(2)),
  plain: await make(admin, plainModel(2)),
  database: await make(admin, databaseModel),
  cache: await make(admin, cacheModel),
});

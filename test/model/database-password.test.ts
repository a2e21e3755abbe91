import { expect, it } from 'vitest';
import { newDatabasePassword } from '../../src/model/names.ts';

it('every new password of databases has small and capital letters and digits, as some clouds ask', () => {
  for (let count = 0; count < 3000; count += 1)
    expect(newDatabasePassword()).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[a-zA-Z\d]{30}$/);
});
